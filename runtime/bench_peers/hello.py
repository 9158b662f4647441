"""The lambda that is measured."""

name = query_params.get("name", ["World"])[0]  # noqa: F821 - given by what runs it
output = f"Hello {name}! Your name in reverse is {name[::-1]}\n"
