/* Conversions between two layouts, and copies, which are conversions of a class to itself. */
#ifndef APIGEN_CONVERT_H
#define APIGEN_CONVERT_H

#include "layout.h"

/* Nesting that is followed; what is deeper is left to Python. */
#define MAX_CONVERSION_DEPTH 200

typedef enum { HOW_SAME, HOW_CHECKED, HOW_LIST, HOW_MAP, HOW_STRUCT } HowKind;

/* How one value becomes another. */
typedef struct How How;
struct How {
    HowKind kind;
    int is_same_shape; /* the value itself would do where it may be shared */
    int nullable;      /* of elements: None stays None */
    Kind number;       /* of checked numbers: what they have to be */
    How *item;         /* of lists and maps */
    Conversion *conversion;
};

typedef struct {
    Py_ssize_t from, to;
} Taken; /* a value that cannot change */

typedef struct {
    Py_ssize_t from, to;
    How *how;
    int can_be_none;
    int is_owned; /* never shared: something below it is set later */
} Made;

typedef struct {
    Py_ssize_t to;
    PyObject *value; /* NULL where a new one is made each time: */
    Type *type;
} Fixed;

/* A member of the source that may be None and becomes another value then; or the other way round. */
typedef struct {
    Member *from, *to;
    How *how;
    PyObject *value; /* NULL: a new zero */
    int is_filled;   /* else emptied */
} Absence;

typedef struct {
    Struct *holder;
    Member *member;
} PathStep;

typedef struct {
    PathStep *steps;
    Py_ssize_t count;
} Path;

typedef enum { AFTER_MOVED, AFTER_FIRST, AFTER_KEYLESS, AFTER_AT_LEAST, AFTER_UNSET, AFTER_ALIAS, AFTER_SINGULAR } AfterKind;

/* What is done when all members have their values, or has to hold then: else the whole is left to Python. */
typedef struct {
    AfterKind kind;
    int is_target; /* the path starts at the target */
    int is_always; /* AFTER_MOVED: parents are built, be nothing set; AFTER_SINGULAR: the singular wins */
    Py_ssize_t count;
    Path *from, *to;
    How **hows;
    PyObject *object;
    Member *item_member;
    Struct *item;
} After;

/* What is UNLINKABLE is tried again when more layouts or conversions were added. */
typedef enum { DECLARED, LINKED, UNLINKABLE } LinkState;

struct Conversion {
    Struct *source, *target;
    Conversion *next; /* of the same source */
    LinkState state;
    uint64_t additions; /* of the codec when it was linked last */
    PyObject *steps;    /* as they were declared; or NULL for a copy */
    PyObject *function; /* does it in Python, sharing what it may; or NULL */
    Taken *taken;
    Made *made;
    Fixed *fixed;
    Absence *absences;
    After *after;
    Py_ssize_t taken_count, made_count, fixed_count, absence_count, after_count;
};

/* The conversion, ready to run; NULL where there is none, with an exception only if it is fatal. */
Conversion *linked_conversion(Codec *codec, Struct *source, Struct *target);
Conversion *linked_copy(Codec *codec, Struct *layout);

/* What is not zero: 1, 0, or -1 where that is not decided here. */
int is_not_zero(const Member *member, PyObject *value);

/* A new reference; NULL, mostly without an exception, where it is left to Python. */
PyObject *run_conversion(Conversion *conversion, PyObject *object, int share, int depth);
PyObject *made_value(How *how, PyObject *value, int share, int depth);
int run_after(Conversion *conversion, PyObject *source, PyObject *target, int share, int depth);

#endif
