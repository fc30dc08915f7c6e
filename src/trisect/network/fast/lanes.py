"""Eight floats as one value: vector code that does not depend on what a compiler sees in a loop.

A value of the type `Lanes` is loaded from and stored to eight consecutive numbers of an array;
sums and products are made lane by lane, in the order in which they are written. A machine with
shorter vectors takes two or more instructions for one.
"""

import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing import signature
from numba.core.typing.templates import ConcreteTemplate, infer_global
from numba.extending import intrinsic, lower_builtin, models, register_model

__all__ = [
    "LANES",
    "load",
    "not_below",
    "number",
    "put",
    "root",
    "rounded",
    "splat",
    "split",
    "store",
    "total",
    "turn",
    "without",
]

LANES = 8

_FLOAT, _INDEX = ir.FloatType(), ir.IntType(64)
_VECTOR = ir.VectorType(_FLOAT, LANES)


class Lanes(types.Type):
    """The type of eight floats."""

    def __init__(self):
        super().__init__(name="Lanes")


lanes = Lanes()


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, of_type):
        super().__init__(manager, of_type, _VECTOR)


for _operator, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):

    @infer_global(_operator)
    class _OfLanes(ConcreteTemplate):
        cases = [signature(lanes, lanes, lanes)]  # noqa: RUF012

    # The instruction stands in the function that asks for it, and is rounded as that is.
    @lower_builtin(_operator, lanes, lanes)
    def _lowered(context, builder, signature, arguments, instruction=_instruction):
        return getattr(builder, instruction)(*arguments)


def _pointer(context, builder, signature, arguments):
    """Return a pointer to a number of a contiguous array, counted from its first one."""
    array, index = arguments[:2]
    data = context.make_array(signature.args[0])(context, builder, array).data
    at = context.cast(builder, index, signature.args[1], types.int64)
    return builder.gep(data, [at])


def _place(context, builder, signature, arguments):
    """Return a pointer to eight numbers."""
    pointer = _pointer(context, builder, signature, arguments)
    return builder.bitcast(pointer, _VECTOR.as_pointer())


@intrinsic
def number(typing_context, array, index):
    """Return one number, counted from the first of a contiguous array of any shape."""

    def codegen(context, builder, signature, arguments):
        return builder.load(_pointer(context, builder, signature, arguments))

    return types.float32(array, index), codegen


@intrinsic
def put(typing_context, array, index, value):
    """Write one number there."""

    def codegen(context, builder, signature, arguments):
        builder.store(arguments[2], _pointer(context, builder, signature, arguments))
        return context.get_dummy_value()

    return types.void(array, index, types.float32), codegen


@intrinsic
def load(typing_context, array, index):
    """Load eight consecutive numbers, counted from the first of a contiguous array."""

    def codegen(context, builder, signature, arguments):
        return builder.load(_place(context, builder, signature, arguments), align=4)

    return lanes(array, index), codegen


@intrinsic
def store(typing_context, array, index, value):
    """Store eight consecutive numbers."""

    def codegen(context, builder, signature, arguments):
        builder.store(arguments[2], _place(context, builder, signature, arguments), align=4)
        return context.get_dummy_value()

    return types.void(array, index, lanes), codegen


@intrinsic
def splat(typing_context, value):
    """Put one number in all lanes."""

    def codegen(context, builder, signature, arguments):
        first = builder.insert_element(
            ir.Constant(_VECTOR, ir.Undefined), arguments[0], ir.IntType(32)(0)
        )
        same = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(first, ir.Constant(_VECTOR, ir.Undefined), same)

    return lanes(types.float32), codegen


def _called(builder, name, value):
    kind = ir.FunctionType(_VECTOR, [_VECTOR])
    function = cgutils.get_or_insert_function(builder.module, kind, f"{name}.v{LANES}f32")
    return builder.call(function, [value])


@intrinsic
def root(typing_context, value):
    """Take the square root of each lane."""

    def codegen(context, builder, signature, arguments):
        return _called(builder, "llvm.sqrt", arguments[0])

    return lanes(lanes), codegen


@intrinsic
def rounded(typing_context, value):
    """Keep a product from being rounded together with the sum that it goes into."""

    def codegen(context, builder, signature, arguments):
        return _called(builder, "llvm.arithmetic.fence", arguments[0])

    return lanes(lanes), codegen


@intrinsic
def without(typing_context, value, limit):
    """Put zero in place of numbers that are no larger than a limit, whatever their sign."""

    def codegen(context, builder, signature, arguments):
        value, limit = arguments
        large = builder.fcmp_ordered(">", _called(builder, "llvm.fabs", value), limit)
        return builder.select(large, value, ir.Constant(_VECTOR, [0.0] * LANES))

    return lanes(lanes, lanes), codegen


@intrinsic
def not_below(typing_context, value, limit):
    """Raise numbers to a limit."""

    def codegen(context, builder, signature, arguments):
        value, limit = arguments
        return builder.select(builder.fcmp_ordered(">", limit, value), limit, value)

    return lanes(lanes, lanes), codegen


@intrinsic
def split(typing_context, values, at, first, factor, whole, rest):
    """Split eight numbers from 0; write (integer + first) * factor, and what is left."""

    def codegen(context, builder, signature, arguments):
        integers, types_of = ir.VectorType(ir.IntType(32), LANES), signature.args

        def place(k):
            data = context.make_array(types_of[k])(context, builder, arguments[k]).data
            return builder.gep(data, [arguments[1]])

        def vector(k, kind):
            return builder.bitcast(place(k), kind.as_pointer())

        x = builder.load(vector(0, _VECTOR), align=4)
        n = builder.fptosi(x, integers)
        left = builder.fsub(x, builder.sitofp(n, _VECTOR))
        builder.store(left, vector(5, _VECTOR), align=4)
        moved = builder.add(n, builder.load(vector(2, integers), align=4))
        builder.store(
            builder.mul(moved, integers([factor.literal_value] * LANES)),
            vector(4, integers),
            align=4,
        )
        return context.get_dummy_value()

    if not isinstance(factor, types.IntegerLiteral):
        return None
    return types.void(values, types.int64, first, factor, whole, rest), codegen


@intrinsic
def total(typing_context, value):
    """Add up the lanes: pairs that lie four apart, then two, then one."""

    def codegen(context, builder, signature, arguments):
        [found], half = arguments, LANES // 2
        while half:
            upper = [(k + half) % LANES for k in range(LANES)]
            mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), upper)
            found = builder.fadd(found, builder.shuffle_vector(found, found, mask))
            half //= 2
        return builder.extract_element(found, ir.IntType(32)(0))

    return types.float32(lanes), codegen


@intrinsic
def turn(typing_context, source, start, step, target, to, stride):
    """Transpose a square: eight numbers from ``start`` and each ``step`` further on.

    They are written to ``to`` and each ``stride`` further on. Both are counted from the first
    number of a contiguous array.
    """

    def codegen(context, builder, signature, arguments):
        types_of = signature.args

        def place(array, first, k, step):
            data = context.make_array(types_of[array])(context, builder, arguments[array]).data
            at = builder.add(arguments[first], builder.mul(_INDEX(k), arguments[step]))
            return builder.bitcast(builder.gep(data, [at]), _VECTOR.as_pointer())

        def mixed(a, b, lanes):
            mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), lanes)
            return builder.shuffle_vector(a, b, mask)

        rows = [builder.load(place(0, 1, k, 2), align=4) for k in range(LANES)]
        half = LANES // 2
        while half:
            # Exchange the off-diagonal quarters of all squares that are twice as wide.
            low = [k if k & half == 0 else k - half + LANES for k in range(LANES)]
            high = [k + half if k & half == 0 else k + LANES for k in range(LANES)]
            for k in range(LANES):
                if k & half == 0:
                    a, b = rows[k], rows[k + half]
                    rows[k], rows[k + half] = mixed(a, b, low), mixed(a, b, high)
            half //= 2
        for k in range(LANES):
            builder.store(rows[k], place(3, 4, k, 5), align=4)
        return context.get_dummy_value()

    whole = types.int64
    return types.void(source, whole, whole, target, whole, whole), codegen
