"""The builder that collects variables and rows and makes a `Model` in one go."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hidato_opt.core.errors import InvalidOption
from hidato_opt.modelling.expressions import FloatArray, common_owner
from hidato_opt.modelling.index import IndexSet
from hidato_opt.modelling.model import BoolArray, Model, RowGroup, stack_rows
from hidato_opt.modelling.rows import RowBlock
from hidato_opt.modelling.variables import ColumnLayout, VariableGroup, VariableKind, bound_arrays


class ModelBuilder:
    """Collects variable groups and blocks of rows, and makes the `Model` in one go.

    Examples
    --------
    >>> from hidato_opt.modelling.constraints import exactly_one
    >>> builder = ModelBuilder("pick one of three")
    >>> x = builder.add_variables("x", IndexSet.range("K", 1, 3), "binary")
    >>> builder.add_rows("one", exactly_one(x, by=()))
    >>> builder.build()
    Model(pick one of three: 1 rows, 3 columns (3 integer), 3 non-zeros)
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.layout = ColumnLayout()
        self._lower: list[FloatArray] = []
        self._upper: list[FloatArray] = []
        self._integer: list[BoolArray] = []
        self._blocks: dict[str, RowBlock] = {}
        self._is_built = False

    def add_variables(
        self,
        name: str,
        index: IndexSet,
        kind: VariableKind | str,
        lower: npt.ArrayLike = 0.0,
        upper: npt.ArrayLike | None = None,
    ) -> VariableGroup:
        """Add a group of variables, one for each label.

        Parameters
        ----------
        name : str
            An identifier; the group becomes the attribute of that name.
        index : IndexSet
            Labels of the variables.
        kind : {"binary", "integer", "continuous"}
            What values they take.
        lower, upper : float, or array with an entry a label
            Bounds; by default 0 and 1 for binaries, 0 and infinity otherwise.

        Raises
        ------
        InvalidOption
            The name is no identifier, taken, or an attribute of every model;
            the bounds are no bounds; or the model is built already.
        """
        if name in Model.__dataclass_fields__ or hasattr(Model, name):
            raise InvalidOption(
                f"a variable group cannot be called {name!r}: a model has an attribute of that name"
            )
        if self._is_built:
            raise InvalidOption("the model is built; make a new builder for another one")
        kind = VariableKind(kind)
        if upper is None:
            upper = 1.0 if kind is VariableKind.BINARY else np.inf
        size = len(index)
        low, high = bound_arrays(name, lower, upper, size)
        group = self.layout.append(name, index, kind)
        self._lower.append(low)
        self._upper.append(high)
        self._integer.append(np.full(size, kind is not VariableKind.CONTINUOUS))
        return group

    def add_rows(self, name: str, block: RowBlock) -> None:
        """Add a block of rows as a named group."""
        if name in self._blocks:
            raise InvalidOption(f"there is a constraint group {name!r} already")
        common_owner(self.layout, block.owner)
        self._blocks[name] = block

    def build(self) -> Model:
        """Make the model, with objective 0; no variables can be added after that."""
        self._is_built = True  # the model shares the layout
        rows: dict[str, RowGroup] = {}
        first = 0
        for name, block in self._blocks.items():
            rows[name] = RowGroup(name, block.index, first)
            first += len(block)
        blocks = list(self._blocks.values())
        nothing = np.empty(0)
        stacked = stack_rows(np.zeros(1, dtype=np.int32), nothing.astype(np.int32), nothing, blocks)
        return Model(
            name=self.name,
            layout=self.layout,
            rows=rows,
            lower=np.concatenate([nothing, *self._lower]),
            upper=np.concatenate([nothing, *self._upper]),
            integer=np.concatenate([nothing.astype(np.bool_), *self._integer]),
            cost=np.zeros(self.layout.size),
            offset=0.0,
            maximise=False,
            **stacked,
            row_lower=np.concatenate([nothing, *(block.lower for block in blocks)]),
            row_upper=np.concatenate([nothing, *(block.upper for block in blocks)]),
        )
