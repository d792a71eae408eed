"""How Numba compiles a kernel: parts are only lowered, and the kernel is optimised once, with all of them in it.

By default Numba makes machine code of every called function, optimises it again in each caller, and compares dozens of
options whenever it types a call. That gives the same code in more time.
"""

from typing import Any, Final

from llvmlite import binding
from numba.core import codegen, compiler, cpu, typed_passes, untyped_passes
from numba.core.compiler_machinery import PassManager, register_pass

# Numba's annotations leave out what its documentation has.
_Flags: Final[Any] = compiler.Flags
_Compiler: Final[Any] = compiler.CompilerBase
_Library: Final[Any] = codegen.JITCodeLibrary
_Lowering: Final[Any] = typed_passes.NativeLowering
_usual: Final[Any] = compiler.DefaultPassBuilder.define_nopython_pipeline
_register: Final[Any] = register_pass
_Passes: Final[Any] = PassManager
_make_function: Final[Any] = cpu._dynfunc.make_function  # type: ignore[attr-defined]

_NEEDLESS: Final = {
    untyped_passes.WithLifting,
    untyped_passes.InlineClosureLikes,
    untyped_passes.RewriteDynamicRaises,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.InlineInlinables,
    untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralUnroll,
    untyped_passes.LiteralPropagationSubPipelinePass,
    typed_passes.InlineOverloads,
    typed_passes.NopythonRewrites,
    typed_passes.DumpParforDiagnostics,
}
"""Passes for features that no kernel uses: with, closures, raising, literal loops, arithmetic on whole arrays."""


_RARE: Final[set[str]] = set()
"""Names, as LLVM has them, of the parts that are called rarely."""


class KernelFlags(_Flags):  # type: ignore[misc]
    """Options of a compilation. They are all equal, because a part is the same for every caller."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(KernelFlags)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KernelFlags)


class PartLibrary(_Library):  # type: ignore[misc]
    """The lowered code of one part and of the parts it calls: never optimised, never run by itself."""

    def _optimize_functions(self, module: Any) -> None:
        """Do nothing: the kernel that includes the part is optimised."""

    def _optimize_final_module(self) -> None:
        """Do nothing, for the same reason."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


class KernelLibrary(_Library):  # type: ignore[misc]
    """The code of a kernel with all its parts."""

    def _optimize_final_module(self) -> None:
        # Only this kernel calls the parts, so LLVM may change their calling convention and drop inlined ones. They are
        # private, not internal: the loader would confuse internal functions of one name.
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.linkonce_odr:
                function.linkage = binding.Linkage.private
                if function.name in _RARE:
                    function.add_function_attribute("noinline")
                    function.add_function_attribute("cold")
        # Numba's first, cheaper pass is skipped: it handles reference counts, which kernels do not have.
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


@_register(mutates_CFG=True, analysis_only=False)
class KernelLowering(_Lowering):  # type: ignore[misc]
    """Lower a kernel, optimise it with its parts, and make machine code of it."""

    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        """Fill `state.library` and `state.cr`."""
        state.library = KernelLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


@_register(mutates_CFG=True, analysis_only=False)
class PartLowering(_Lowering):  # type: ignore[misc]
    """Lower a part, for kernels to include."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Fill `state.library` and `state.cr`."""
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        done = bool(super().run_pass(state))
        lowered = state.cr
        described, kept = lowered.fndesc, (state.library,)
        # Numba identifies a function by its entry point. This one is never called.
        entry = _make_function(described.lookup_module(), described.qualname, "", 0, lowered.env, kept)
        state.targetctx.insert_user_function(entry, described, kept)
        state.cr = lowered._replace(cfunc=entry)
        return done


class KernelCompiler(_Compiler):  # type: ignore[misc]
    """Numba's compiler for a kernel (`pipeline_class` of its decorators)."""

    lowering: type = KernelLowering

    def __init__(
        self, typing: Any, target: Any, library: Any, args: Any, result: Any, flags: Any, *more: Any
    ):
        own = KernelFlags(flags)
        own.no_compile = issubclass(self.lowering, PartLowering)
        super().__init__(typing, target, library, args, result, own, *more)

    def define_pipelines(self) -> list[Any]:
        """The passes, in order."""
        passes = _Passes("kernel")
        for one, text in _usual(self.state).passes:
            if one not in _NEEDLESS:
                passes.add_pass(self.lowering if one is _Lowering else one, text)
        passes.finalize()
        return [passes]


class PartCompiler(KernelCompiler):
    """Numba's compiler for a part."""

    lowering = PartLowering


@_register(mutates_CFG=True, analysis_only=False)
class RareLowering(PartLowering):
    """Lower a part that kernels call and do not inline."""

    _name = "rare_lowering"

    def run_pass(self, state: Any) -> bool:
        """Fill `state.library` and `state.cr`."""
        done = super().run_pass(state)
        _RARE.add(state.cr.fndesc.mangled_name)
        return done


class RareCompiler(PartCompiler):
    """Numba's compiler for such a part."""

    lowering = RareLowering
