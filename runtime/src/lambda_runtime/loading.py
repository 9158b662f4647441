"""From the bytes of a file to something that answers requests; nothing here serves.

Two styles, told apart by the syntax tree before anything runs:

- *handler*: the top level defines `handler` (def, async def, assignment or import). The module is
  executed once, when it is loaded, and `handler(request)` is called for each request.
- *script*: everything else. It is compiled once and executed for each request, in a fresh namespace
  with `request` and `query_params` (as `urllib.parse.parse_qs` gives it), and sets `output`.
"""

import ast
import builtins
import importlib.util
import inspect
import linecache
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType

from .request import Request

EMPTY_SCRIPT_OUTPUT = "Lambda output was empty"
HANDLER_MODULE = "lambda_code"
"""The name under which a handler's module is found in `sys.modules`, so that pickle works."""


@dataclass(frozen=True)
class Lambda:
    """Loaded code: `call` takes a request and returns what the code returned.

    path      as it is in the frames of a traceback
    style     "script" or "handler"
    is_async  `call` belongs on the event loop; otherwise it may block
    streams   it may return a generator of its own
    """

    path: str
    style: str
    call: Callable[[Request], object]
    is_async: bool
    streams: bool


def load(path: str) -> Lambda:
    """Load the code at `path`.

    Raises whatever the code raises; SyntaxError when it does not parse or has a NUL byte; OSError
    when the file cannot be read; TypeError when `handler` cannot handle.
    """
    source = Path(path).read_bytes()
    _refuse_nul(source, path)
    tree = compile(source, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    code = compile(tree, path, "exec", dont_inherit=True)
    _remember_source(source, path)
    style = "handler" if defines_handler(tree) else "script"
    call = _load_handler(code, path) if style == "handler" else _script(code, path)
    is_async = inspect.iscoroutinefunction(call) or inspect.isasyncgenfunction(call)
    return Lambda(path, style, call, is_async, makes_generators(tree))


def defines_handler(tree: ast.Module) -> bool:
    """Tell whether the code is a handler; a script may well have a variable of that name."""
    bound = {}
    for statement in _top_level(tree.body):
        for name in _names_bound_by(statement):
            bound.setdefault(name, statement)
    handler = bound.get("handler")
    is_function = isinstance(handler, ast.FunctionDef | ast.AsyncFunctionDef)
    return handler is not None and (is_function or "output" not in bound)


def makes_generators(tree: ast.Module) -> bool:
    """Tell whether there is a `yield` or a generator expression anywhere in the code."""
    generators = ast.Yield | ast.YieldFrom | ast.GeneratorExp
    return any(isinstance(node, generators) for node in ast.walk(tree))


def _script(code: CodeType, path: str) -> Callable[[Request], object]:
    def run(request: Request) -> object:
        namespace = {
            "__builtins__": builtins,
            "__name__": "__main__",
            "__file__": path,
            "query_params": request.query,
            "request": request,
        }
        exec(code, namespace)
        output = namespace.get("output")
        is_empty = output is None or (isinstance(output, str | bytes) and not output)
        return EMPTY_SCRIPT_OUTPUT if is_empty else output

    return run


def _load_handler(code: CodeType, path: str) -> Callable[[Request], object]:
    module = ModuleType(HANDLER_MODULE)
    module.__file__ = path
    sys.modules[HANDLER_MODULE] = module
    exec(code, module.__dict__)
    handler = getattr(module, "handler", None)
    if not callable(handler):
        raise TypeError(f"handler must be a function, not {type(handler).__name__}")
    _check_signature(handler)
    return handler


def _check_signature(handler: Callable[..., object]) -> None:
    try:
        signature = inspect.signature(handler)
    except ValueError:
        return  # a builtin that does not tell
    try:
        signature.bind(None)
    except TypeError as exc:
        raise TypeError(
            f"handler{signature} must accept one argument, the request: {exc}"
        ) from None


def _refuse_nul(source: bytes, path: str) -> None:
    before, nul, _ = source.partition(b"\0")
    if not nul:
        return
    start = before.rfind(b"\n") + 1
    text = before[start:].decode("utf-8", "replace")
    where = (path, before.count(b"\n") + 1, len(text) + 1, text)
    raise SyntaxError("the code has a NUL byte, which Python does not allow: remove it", where)


def _remember_source(source: bytes, path: str) -> None:
    """Have tracebacks show what was loaded, whatever the file says by then."""
    lines = importlib.util.decode_source(source).splitlines(keepends=True)
    linecache.cache[path] = (len(source), None, lines, path)


def _top_level(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in statements:
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.TryStar | ast.With):
            for field in ("body", "orelse", "finalbody"):
                yield from _top_level(getattr(statement, field, []))
            for except_clause in getattr(statement, "handlers", []):
                yield from _top_level(except_clause.body)


def _names_bound_by(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (alias.asname or alias.name for alias in names)
        case ast.Assign(targets=targets):
            for target in targets:
                yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.AugAssign(target=ast.Name(id=name)):
            yield name
