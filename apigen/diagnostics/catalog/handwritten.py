"""AG08xx: hand-written functions."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG0801",
        "a hand-written function that no type has",
        """
Hand-written functions are found by their exact names, made of the type's: `frobber_to_hub`, `frobber_from_hub`,
`default_frobber`, `validate_frobber`. One that is nearly called so would never run. Helpers start with `_`.
""",
        """
def frober_to_hub(source, generated): ...      # frobber_to_hub
""",
    ),
    CodeInfo(
        "AG0802",
        "a hand-written function with other parameters",
        """
The parameters are part of how a hand-written function is found: `(source, generated)` and `(hub, generated)` for
conversions, `(obj, features)` for defaults, `(obj, path, options)` for validation.
""",
        """
def frobber_to_hub(src, generated): ...        # source
""",
    ),
    CodeInfo(
        "AG0803",
        "a hand-written module that is no Python",
        """
The module is read, not run, and this one cannot be read.
""",
        """
def frobber_to_hub(source, generated:
""",
    ),
    CodeInfo(
        "AG0804",
        "no hand-written function where one is promised",
        """
`byHand` leaves a place to a hand-written function, of the type itself or of one above it, and there is none.
""",
        """
behavior: {type: Behavior, hub: {byHand: see conversions.py}}
""",
    ),
    CodeInfo(
        "AG0805",
        "a hand-written module that cannot be copied",
        """
Hand-written functions that are copied into the output (those of the catalogue, and those that were written for a
package of another name) import it relatively there. `import generated.core.v1.types` binds a name that a relative
import cannot bind: write `from generated.core.v1 import types`, or give it an alias with `as`. Helpers are imported
from modules of a version.
""",
        """
import generated.core.v1.types                 # from generated.core.v1 import types
""",
    ),
    CodeInfo(
        "AG0806",
        "hand-written functions of a removed version",
        """
A folder `<group>/<version>` of hand-written functions belongs to a version or a group that the specs do not have. Its
functions are never called. Remove the folder with the version; `git` keeps its history.
""",
        """
handwritten/things_example_com/v1beta1/conversions.py        # and no v1beta1 in group.yaml
""",
    ),
)
