/* Conversions between two layouts, and copies, which are conversions of a class to itself. */
#ifndef APIGEN_CONVERT_H
#define APIGEN_CONVERT_H

#include "layout.h"

/* Maximum nesting; deeper values are left to Python. */
#define MAX_CONVERSION_DEPTH 200

typedef enum { HOW_SAME, HOW_CHECKED, HOW_LIST, HOW_MAP, HOW_STRUCT } HowKind;

/* The conversion of one value. */
typedef struct How How;
struct How {
    HowKind kind;
    int is_same_shape; /* the value may be used unchanged if sharing is allowed */
    int nullable;      /* of elements: None stays None */
    Kind number;       /* of checked numbers: the target type */
    How *item;         /* of lists and maps */
    Conversion *conversion;
};

typedef struct {
    Py_ssize_t from, to;
} Taken; /* an immutable value */

typedef struct {
    Py_ssize_t from, to;
    How *how;
    int can_be_none;
    int is_owned; /* never shared: something below it is set later */
} Made;

typedef struct {
    Py_ssize_t to;
    PyObject *value; /* NULL if a new one is created each time: */
    Type *type;
} Fixed;

/* A member of the source whose None is converted to another value; or the reverse. */
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

/* A statement that runs after all members have their values, or a check; if it fails, Python converts the object. */
typedef struct {
    AfterKind kind;
    int is_target; /* the path starts at the target */
    int is_always; /* AFTER_MOVED: parents are always built; AFTER_SINGULAR: the singular wins */
    Py_ssize_t count;
    Path *from, *to;
    How **hows;
    PyObject *object;
    Member *item_member;
    Struct *item;
} After;

/* An UNLINKABLE conversion is linked again after more layouts or conversions were added. */
typedef enum { DECLARED, LINKED, UNLINKABLE } LinkState;

struct Conversion {
    Struct *source, *target;
    Conversion *next; /* of the same source */
    LinkState state;
    uint64_t additions; /* of the codec when it was linked last */
    PyObject *steps;    /* as they were declared; or NULL for a copy */
    PyObject *function; /* the function that converts in Python, with sharing; or NULL */
    Taken *taken;
    Made *made;
    Fixed *fixed;
    Absence *absences;
    After *after;
    Py_ssize_t taken_count, made_count, fixed_count, absence_count, after_count;
};

/* The conversion, ready to run; NULL without one, with an exception only if it is fatal. */
Conversion *linked_conversion(Codec *codec, Struct *source, Struct *target);
Conversion *linked_copy(Codec *codec, Struct *layout);

/* A new reference; NULL, usually without an exception, if it is left to Python. */
PyObject *run_conversion(Conversion *conversion, PyObject *object, int share, int depth);

#endif
