/* The layouts of objects of generated classes in memory, in JSON and on the wire. */
#ifndef APIGEN_LAYOUT_H
#define APIGEN_LAYOUT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* Maximum nesting; deeper values are left to the generated Python code, which has limits of its own. */
#define MAX_DEPTH 90

/* Go's zero time in Unix seconds, which represents an unset time. */
#define ZERO_SECONDS (-62135596800LL)

typedef enum {
    KIND_STRING,
    KIND_BOOL,
    KIND_INT32,
    KIND_INT64,
    KIND_UINT32,
    KIND_UINT64,
    KIND_FLOAT32,
    KIND_FLOAT64,
    KIND_BYTES,
    KIND_INT_OR_STRING,
    KIND_TEXT, /* a well-known type whose JSON is a string: Time, MicroTime, Duration, Quantity */
    KIND_RAW,  /* a well-known type whose JSON is kept as it is written: RawExtension, FieldsV1 */
    KIND_STRUCT,
    KIND_LIST,
    KIND_MAP
} Kind;

/* When a member is not in JSON. */
typedef enum { OMIT_NEVER, OMIT_NONE, OMIT_ZERO } Omission;

/* Memory for objects of one size, where a class has some: see objects.c. */
typedef struct Pool Pool;

/* A well-known type, with the functions of the runtime that handle its unusual values. */
typedef struct {
    PyObject *from_json; /* (str or bytes of the source) -> value */
    PyObject *to_json;   /* (value) -> str */
    PyObject *from_wire; /* (bytes) -> value */
    PyObject *to_wire;   /* (value) -> bytes */
    PyObject *zero;
    int null_is_error;
    PyTypeObject *time_class; /* of Time, which is read and written here; else NULL */
    Pool *time_pool;
    Py_ssize_t seconds_offset;
    PyTypeObject *text_class; /* of Quantity, which holds its text; else NULL */
    Py_ssize_t text_offset;
    PyObject *cache; /* text -> immutable value */
} WellKnown;

typedef struct Struct Struct;
typedef struct Type Type;

struct Type {
    Kind kind;
    int nullable;         /* an element or a value of a map may be None */
    int is_message;       /* a list or map that is a message of its own on the wire, with its items as field 1 */
    Type *item;           /* of lists and maps */
    Struct *target;       /* of structs */
    WellKnown *known;     /* of well-known types */
};

typedef struct {
    const char *name; /* in JSON; UTF-8, plain ASCII without anything to escape */
    Py_ssize_t name_size;
    char *written; /* the name as JSON, with quotes and the colon */
    Py_ssize_t written_size;
    Py_ssize_t offset; /* of the slot */
    Type *type;
    PyObject *zero; /* owned by the layout; NULL where a new one is made each time */
    int can_be_none;
    Omission omission;
    int omits_none_on_wire;
    PyObject *name_object; /* keeps `name` */
} Member;

/* The value of a slot for which no value was read. */
typedef struct {
    Py_ssize_t offset;
    PyObject *value; /* that of the member; NULL if a new one is created each time: */
    Type *type;
} Zero;

typedef struct WireTable WireTable;
typedef struct Conversion Conversion;
typedef struct Route Route;

typedef struct {
    uint32_t number;
    int omits_none;       /* these two are the member's */
    Py_ssize_t offset;
    Member *member;       /* or NULL for an inline message: */
    WireTable *inlined;
} WireField;

struct WireTable {
    WireField *fields; /* ascending by number */
    Py_ssize_t count;
};

struct Struct {
    PyTypeObject *cls;
    Pool *pool;
    int is_filled; /* its members are known */
    Member *members;
    Zero *zeros; /* one per member */
    Py_ssize_t count;
    uint16_t *index; /* open addressing by the hash of the name; the member's position + 1 */
    uint32_t index_mask;
    WireTable wire;
    Member *version_member, *kind_member; /* `apiVersion` and `kind`; else NULL */
    PyObject *version, *kind;             /* their values in a kind's version; NULL for all other classes */
    int has_protobuf;                     /* whether the kind has a protobuf form */
    Conversion *conversions, *copy;
    Route *routes;
};

/* A conversion of objects of a class by target name: to the hub, to a version, or to a version by way of the hub. */
struct Route {
    PyObject *to;
    Conversion *first, *second; /* the second may be NULL */
    Route *next;
};

/* The `apiVersion` and `kind` of a document. */
typedef struct {
    const char *version, *kind;
    Py_ssize_t version_size, kind_size;
} Said;

/* A kind's version by the `apiVersion` and `kind` of its documents. */
typedef struct {
    uint32_t hash;
    Said said;
    Struct *layout;
} KindEntry;

/* Number of classes that are cached by their addresses. */
#define MOST_RECENT 64

/* A Codec: the layouts of one generated package. */
typedef struct {
    PyObject_HEAD
    PyObject *structs;    /* class -> address of its Struct */
    Struct *recent[MOST_RECENT]; /* the most recently used ones */
    PyObject *well_known; /* name -> address of its WellKnown */
    void **blocks;        /* everything that was allocated */
    Py_ssize_t block_count, block_room;
    PyObject *objects; /* everything that is owned */
    KindEntry *kinds;  /* open addressing */
    uint32_t kind_count, kind_room;
    uint64_t additions; /* layouts and conversions added so far; after an addition, linking is tried again */
} Codec;

/* Whether the current exception must reach the caller: no memory, or not an `Exception` (KeyboardInterrupt). */
int is_fatal(void);

/* A new reference to `instead`, after an exception that only means "leave this to Python"; NULL if it is fatal. */
PyObject *left_to_python(PyObject *instead);

/* Memory that lives as long as the codec. Return NULL with an exception. */
void *codec_alloc(Codec *codec, size_t size);
int codec_keep(Codec *codec, PyObject *object);

PyObject *codec_add(Codec *codec, PyObject *args);
PyObject *codec_add_well_known(Codec *codec, PyObject *args);

/* The layout of a class, or NULL (without an exception) if it has none. */
Struct *codec_struct(Codec *codec, PyTypeObject *cls);

uint32_t hash_name(const char *name, Py_ssize_t size);
Member *find_member(Struct *layout, const char *name, Py_ssize_t size);

static inline PyObject **slot_of(PyObject *object, const Member *member) {
    return (PyObject **)((char *)object + member->offset);
}

/* Adds (or subtracts) several references to None at once: single increments would have to wait for each other. */
typedef Py_ssize_t Nones;

static inline void count_nones(Nones count) {
#if PY_VERSION_HEX < 0x030c0000 /* None is immortal since */
    Py_SET_REFCNT(Py_None, Py_REFCNT(Py_None) + count);
#else
    (void)count;
#endif
}

/* From now on objects of the class are created and freed here, if they consist of slots only; else NULL. */
Pool *adopt(PyTypeObject *cls);
PyObject *object_of(PyTypeObject *cls, Pool *pool);

/* New references; NULL without an exception means: leave it to the Python code. */
PyObject *new_object(Struct *layout);
PyObject *zero_of(Type *type);
int fill_zeros(Struct *layout, PyObject *object);

/* Times in their usual forms; 0 or NULL for all others. */
PyObject *time_of_text(WellKnown *known, const char *text, Py_ssize_t size);
PyObject *time_of_seconds(WellKnown *known, int64_t seconds);
int seconds_of_time(WellKnown *known, PyObject *time, int64_t *seconds);
int text_of_time(WellKnown *known, PyObject *time, char *text);

/* The text of a quantity (borrowed); and the value of a text, which is cached. NULL for all others. */
PyObject *text_of_known(WellKnown *known, PyObject *value);
PyObject *known_of_text(WellKnown *known, PyObject *text);

/* Whether an integer is in the range of its kind; -1 without an exception if it is not. */
static inline int long_of(Kind kind, PyObject *value, long long *number) {
    int overflow;
    if (!PyLong_CheckExact(value))
        return -1;
    *number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow || (kind == KIND_INT32 && *number != (int32_t)*number) ||
        (kind == KIND_UINT32 && (*number < 0 || *number > UINT32_MAX)))
        return -1;
    return 0;
}

/* A string, or one of a subclass that compares and adds as strings do, as members of enums. */
static inline int is_text(PyObject *value) {
    if (PyUnicode_CheckExact(value))
        return 1;
    PyTypeObject *cls = Py_TYPE(value);
    return PyUnicode_Check(value) && cls->tp_richcompare == PyUnicode_Type.tp_richcompare &&
           (cls->tp_as_number == NULL || cls->tp_as_number->nb_add == NULL) &&
           (cls->tp_as_sequence == NULL || cls->tp_as_sequence->sq_concat == PyUnicode_Type.tp_as_sequence->sq_concat);
}

/* Whether the text is one ordinary JSON value. */
int is_plain_json(const char *text, Py_ssize_t size);

static inline int is_ascii(const char *text, Py_ssize_t size) {
    uint64_t word, seen = 0;
    Py_ssize_t at = 0;
    for (; at + 8 <= size; at += 8) {
        memcpy(&word, text + at, 8);
        seen |= word;
    }
    for (; at < size; at++)
        seen |= (uint64_t)(unsigned char)text[at];
    return (seen & 0x8080808080808080u) == 0;
}

static inline PyObject *ascii_text(const char *text, Py_ssize_t size) {
    PyObject *result = PyUnicode_New(size, 127);
    if (result != NULL && size > 0)
        memcpy(PyUnicode_1BYTE_DATA(result), text, size);
    return result;
}

/* A kind's version by the `apiVersion` and `kind` of a document; NULL without an exception if it is unknown. */
Struct *kind_named(Codec *codec, const Said *said);
PyObject *codec_add_kind(Codec *codec, PyObject *args);
PyObject *codec_add_conversion(Codec *codec, PyObject *args);
PyObject *codec_add_route(Codec *codec, PyObject *args);

/* New references; NULL, usually without an exception, if it is left to Python. */
PyObject *read_json(Struct *layout, const char *text, Py_ssize_t size);
PyObject *write_json(Struct *layout, PyObject *object);
PyObject *read_wire(Struct *layout, const char *data, Py_ssize_t size);

/* 1 if `apiVersion` and `kind` of a JSON document were found, and everything before them is ordinary. */
int said_in_json(const char *text, Py_ssize_t size, Said *said);

/* 1, and the contents of Kubernetes' envelope in its usual form; else 0. */
int open_envelope(const char *data, Py_ssize_t size, Said *said, const char **raw, Py_ssize_t *raw_size);
PyObject *read_envelope(Codec *codec, Struct *layout, const char *data, Py_ssize_t size);
PyObject *write_envelope(Struct *layout, PyObject *object);

#endif
