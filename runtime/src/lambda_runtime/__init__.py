"""Serves one Python lambda over HTTP: `python -m lambda_runtime PATH_TO_CODE`."""
