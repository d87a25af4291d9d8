"""Why a review differs from crdify, case by case. A difference without a reason fails, and so does a reason without a difference."""

from __future__ import annotations

LOOSER = (
    "what is let in now is refused by a server of before, and by the release before after a rollback; crdify looks at clients and stored"
    " objects of before alone"
)
APPROVED = "there, an option lets it pass for good; here, an approval with a reason does, and it ends"
TOLD_ONCE = "an echo of the removed field, which is told once"
DOCUMENTED = "a description decides nothing: it is told as information, in a section of its own; tried: both sides take the same objects"
DEFAULTED = (
    "what is left out gets the default when it is read, in all served versions, so that nobody has to write it; tried: all objects of"
    " before are taken as they are"
)
READ_WITH_DEFAULT = (
    "the same default in every served version, filled in when an object is read: a warning, since what was left out has a value now"
)
OPENED = (
    "all that was valid is valid, so no client of before and no stored object is refused; tried. What new clients write may be refused by"
    " a server of before: a warning"
)
ONE_CHANGE = "the format went with the type: one change"
NO_USE = "a default on a required field never takes effect for who has to write it; worth a warning"
WEBHOOK = "a webhook has to carry what two served versions say differently; whether it does is not in the definition"
IN_TIME = "the change of the same version over time, which was not what that case asks for"
ONE_VERSION = "a field that one of two served versions lacks is lost when the object is written in that one"
NOT_ASKED = "the case switches the tool off"
PARTIAL = "the case gives no type, so that the value becomes an object or anything else; told as a change of type, an error as well"
