"""Named tuples of arrays and records as kernels see them: by address.

Numba passes a tuple word by word, seven words for each array. At a hundred and fifty words a call, half of the
compiled code only moved words.
"""

from typing import Any, Final, TypeVar

from llvmlite import ir
from numba.core import cgutils, imputils, pythonapi, types
from numba.core.datamodel import models, registry
from numba.core.typing import templates
from numba.core.typing.typeof import typeof_impl

T = TypeVar("T", bound=tuple[Any, ...])

# Numba's annotations leave out what its documentation has.
_Type: Final[Any] = types.Type
_Pointer: Final[Any] = models.PrimitiveModel
_Template: Final[Any] = templates.AttributeTemplate
_register_model: Final[Any] = registry.register_default
_infer: Final[Any] = templates.infer_getattr
_imputils: Final[Any] = imputils
_gen: Final[Any] = cgutils
_api: Final[Any] = pythonapi
_type_of: Final[Any] = typeof_impl


class Bundle(_Type):  # type: ignore[misc]
    """Numba's type of such a tuple: its class and the types of its fields. Kernels can only read fields by name."""

    def __init__(self, kind: type, fields: list[Any]) -> None:
        self.kind = kind
        self.fields = dict(zip(kind._fields, fields, strict=True))  # type: ignore[attr-defined]
        super().__init__(name=f"{kind.__module__}.{kind.__qualname__}({', '.join(map(str, fields))})")

    def place(self, name: str) -> int:
        """The index of a field."""
        return list(self.fields).index(name)


@_register_model(Bundle)
class BundleModel(_Pointer):  # type: ignore[misc]
    """The address of a struct of the fields."""

    def __init__(self, manager: Any, bundle: Bundle) -> None:
        fields = [manager.lookup(field).get_value_type() for field in bundle.fields.values()]
        super().__init__(manager, bundle, ir.LiteralStructType(fields).as_pointer())

    def from_argument(self, builder: Any, value: Any) -> Any:
        """The address as a function receives it."""
        # The struct is written before any kernel runs, and no kernel writes to it.
        value.add_attribute("noalias")
        return value


@_infer
class BundleFields(_Template):  # type: ignore[misc]
    """The type of `bundle.field`."""

    key = Bundle

    def generic_resolve(self, bundle: Bundle, name: str) -> Any:
        """None if there is no such field."""
        return bundle.fields.get(name)


def _field(_context: Any, builder: Any, bundle: Bundle, value: Any, name: str) -> Any:
    return builder.load(_gen.gep_inbounds(builder, value, 0, bundle.place(name)))


def _from_python(bundle: Bundle, value: Any, c: Any) -> Any:
    struct = _gen.alloca_once(c.builder, c.context.get_value_type(bundle).pointee)
    failed = _gen.false_bit
    cleanups = []
    for place, field in enumerate(bundle.fields.values()):
        native = c.unbox(field, c.pyapi.tuple_getitem(value, place))
        c.builder.store(native.value, _gen.gep_inbounds(c.builder, struct, 0, place))
        failed = c.builder.or_(failed, native.is_error)
        if native.cleanup is not None:
            cleanups.append(native.cleanup)

    def release() -> None:
        for cleanup in cleanups:
            cleanup()

    return _api.NativeValue(struct, is_error=failed, cleanup=release if cleanups else None)


_imputils.lower_getattr_generic(Bundle)(_field)
_api.unbox(Bundle)(_from_python)


def bundle(kind: type[T]) -> type[T]:
    """Let kernels take a named tuple of arrays, records and such tuples by address. Python sees an ordinary tuple."""

    def type_of(value: T, context: Any) -> Bundle:
        return Bundle(kind, [_type_of(field, context) for field in value])

    _type_of.register(kind, type_of)
    return kind
