/* Writes objects as protobuf messages, from the end to the start, so that the size of a message is known. */
#include "layout.h"

#include <string.h>

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_LENGTH = 2, WIRE_FIXED32 = 5 };

#define FIRST_ROOM 4096 /* on the stack */
#define FEW_ENTRIES 16

typedef struct {
    char *start;
    Py_ssize_t room, size; /* written bytes are at the end */
    int depth;
    char *heap; /* `start`, once that had to be allocated */
} Writer;

static int write_fields(Writer *writer, WireTable *table, PyObject *object);
static int write_value(Writer *writer, Type *type, uint32_t number, PyObject *value);

/* --- bytes ------------------------------------------------------------------------------------------------------- */

static int grow(Writer *writer, Py_ssize_t more) {
    Py_ssize_t room = writer->room;
    while (room < writer->size + more)
        room *= 4;
    char *start = PyMem_Malloc(room);
    if (start == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(start + room - writer->size, writer->start + writer->room - writer->size, writer->size);
    PyMem_Free(writer->heap);
    writer->heap = writer->start = start;
    writer->room = room;
    return 0;
}

static inline int put(Writer *writer, const char *bytes, Py_ssize_t size) {
    if (writer->size + size > writer->room && grow(writer, size) < 0)
        return -1;
    writer->size += size;
    memcpy(writer->start + writer->room - writer->size, bytes, size);
    return 0;
}

static inline int put_byte(Writer *writer, unsigned char byte) {
    if (writer->size == writer->room && grow(writer, 1) < 0)
        return -1;
    writer->start[writer->room - ++writer->size] = (char)byte;
    return 0;
}

static int put_long_varint(Writer *writer, uint64_t number) {
    char bytes[10];
    int size = 0;
    for (; number > 0x7f; number >>= 7)
        bytes[size++] = (char)(number | 0x80);
    bytes[size++] = (char)number;
    return put(writer, bytes, size);
}

static inline int put_varint(Writer *writer, uint64_t number) {
    return number <= 0x7f ? put_byte(writer, (unsigned char)number) : put_long_varint(writer, number);
}

static inline int put_tag(Writer *writer, uint32_t number, int wire_type) {
    return put_varint(writer, (uint64_t)number << 3 | (uint64_t)wire_type);
}

/* Write the length and the tag of the bytes written since the buffer had `before` bytes. */
static inline int close_message(Writer *writer, uint32_t number, Py_ssize_t before) {
    return put_varint(writer, (uint64_t)(writer->size - before)) < 0 ? -1 : put_tag(writer, number, WIRE_LENGTH);
}

/* --- scalars ----------------------------------------------------------------------------------------------------- */

static int write_text(Writer *writer, uint32_t number, PyObject *value) {
    Py_ssize_t size, before = writer->size;
    const char *text;
    if (!is_text(value))
        return -1;
    if (PyUnicode_IS_COMPACT_ASCII(value)) {
        text = (const char *)PyUnicode_1BYTE_DATA(value);
        size = PyUnicode_GET_LENGTH(value);
    } else if ((text = PyUnicode_AsUTF8AndSize(value, &size)) == NULL)
        return -1;
    if (put(writer, text, size) < 0)
        return -1;
    return close_message(writer, number, before);
}

static int write_bytes(Writer *writer, uint32_t number, PyObject *value) {
    Py_ssize_t before = writer->size;
    if (!PyBytes_CheckExact(value) || put(writer, PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value)) < 0)
        return -1;
    return close_message(writer, number, before);
}

/* The 64 bits of an integer that its type can hold. */
static int bits_of(Kind kind, PyObject *value, uint64_t *bits) {
    if (!PyLong_CheckExact(value))
        return -1;
    if (kind == KIND_UINT64) {
        *bits = PyLong_AsUnsignedLongLong(value);
        return PyErr_Occurred() ? -1 : 0;
    }
    long long number;
    if (long_of(kind, value, &number) < 0)
        return -1;
    *bits = (uint64_t)number;
    return 0;
}

static int write_integer(Writer *writer, Kind kind, uint32_t number, PyObject *value) {
    uint64_t bits;
    if (bits_of(kind, value, &bits) < 0 || put_varint(writer, bits) < 0)
        return -1;
    return put_tag(writer, number, WIRE_VARINT);
}

static int write_bool(Writer *writer, uint32_t number, PyObject *value) {
    if (!PyBool_Check(value) || put_varint(writer, value == Py_True) < 0)
        return -1;
    return put_tag(writer, number, WIRE_VARINT);
}

static int write_double(Writer *writer, uint32_t number, PyObject *value) {
    if (!PyFloat_CheckExact(value))
        return -1;
    double double_value = PyFloat_AS_DOUBLE(value);
    return put(writer, (const char *)&double_value, 8) < 0 ? -1 : put_tag(writer, number, WIRE_FIXED64);
}

/* --- well-known types -------------------------------------------------------------------------------------------- */

/* `type = 1, intVal = 2, strVal = 3`, all of them always. */
static int write_int_or_string(Writer *writer, uint32_t number, PyObject *value) {
    Py_ssize_t before = writer->size;
    int is_text = PyUnicode_Check(value);
    uint64_t bits = 0;
    if (!is_text && bits_of(KIND_INT32, value, &bits) < 0)
        return -1;
    if ((is_text ? write_text(writer, 3, value) : put(writer, "\x1a\x00", 2)) < 0)
        return -1;
    if (put_varint(writer, bits) < 0 || put_tag(writer, 2, WIRE_VARINT) < 0)
        return -1;
    if (put(writer, is_text ? "\x08\x01" : "\x08\x00", 2) < 0)
        return -1;
    return close_message(writer, number, before);
}

/* `seconds = 1, nanos = 2`; Kubernetes drops the nanoseconds and writes 0. */
static int write_time(Writer *writer, uint32_t number, int64_t seconds) {
    Py_ssize_t before = writer->size;
    if (put(writer, "\x10\x00", 2) < 0 || put_varint(writer, (uint64_t)seconds) < 0 || put(writer, "\x08", 1) < 0)
        return -1;
    return close_message(writer, number, before);
}

static int write_known(Writer *writer, WellKnown *known, uint32_t number, PyObject *value) {
    int64_t seconds;
    Py_ssize_t before = writer->size;
    if (value == Py_None && known->zero == Py_None) /* represented by an empty message */
        return close_message(writer, number, before);
    if (seconds_of_time(known, value, &seconds))
        return write_time(writer, number, seconds);
    PyObject *text = text_of_known(known, value);
    if (text != NULL)
        return write_text(writer, 1, text) < 0 ? -1 : close_message(writer, number, before);
    PyObject *body = PyObject_CallOneArg(known->to_wire, value);
    int done = body == NULL ? -1 : write_bytes(writer, number, body);
    Py_XDECREF(body);
    return done;
}

/* --- lists and maps ---------------------------------------------------------------------------------------------- */

static int write_item(Writer *writer, Type *type, uint32_t number, PyObject *item) {
    if (item == Py_None && type->kind == KIND_BYTES)
        return close_message(writer, number, writer->size);
    return write_value(writer, type, number, item);
}

static int write_list(Writer *writer, Type *item_type, uint32_t number, PyObject *list) {
    if (!PyList_CheckExact(list))
        return -1;
    for (Py_ssize_t i = PyList_GET_SIZE(list) - 1; i >= 0 && i < PyList_GET_SIZE(list); i--) {
        PyObject *item = Py_NewRef(PyList_GET_ITEM(list, i));
        int done = write_item(writer, item_type, number, item);
        Py_DECREF(item);
        if (done < 0)
            return -1;
    }
    return 0;
}

static int write_entry(Writer *writer, Type *item_type, uint32_t number, PyObject *key, PyObject *value) {
    Py_ssize_t before = writer->size;
    int is_absent = value == Py_None && item_type->kind == KIND_BYTES;
    if (!is_absent && write_value(writer, item_type, 2, value) < 0)
        return -1;
    return write_text(writer, 1, key) < 0 ? -1 : close_message(writer, number, before);
}

static int is_sorted_pair(PyObject *key, PyObject *next) { return PyUnicode_Compare(key, next) <= 0; }

/* The entries, owned, sorted by key. Returns their number, -1 if a key is not a string. */
static Py_ssize_t sorted_entries(PyObject *map, PyObject **keys, PyObject **values) {
    PyObject *key, *value;
    Py_ssize_t at = 0, count = 0;
    while (PyDict_Next(map, &at, &key, &value)) {
        if (!PyUnicode_CheckExact(key)) {
            while (count-- > 0) {
                Py_DECREF(keys[count]);
                Py_DECREF(values[count]);
            }
            return -1;
        }
        Py_ssize_t place = count++;
        for (; place > 0 && !is_sorted_pair(keys[place - 1], key); place--) {
            keys[place] = keys[place - 1];
            values[place] = values[place - 1];
        }
        keys[place] = Py_NewRef(key);
        values[place] = Py_NewRef(value);
    }
    return count;
}

static int write_few(Writer *writer, Type *item_type, uint32_t number, PyObject *map) {
    PyObject *keys[FEW_ENTRIES], *values[FEW_ENTRIES];
    Py_ssize_t count = sorted_entries(map, keys, values);
    int done = count < 0 ? -1 : 0;
    for (Py_ssize_t i = count - 1; i >= 0; i--) {
        if (done == 0)
            done = write_entry(writer, item_type, number, keys[i], values[i]);
        Py_DECREF(keys[i]);
        Py_DECREF(values[i]);
    }
    return done;
}

static int write_map(Writer *writer, Type *item_type, uint32_t number, PyObject *map) {
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (!PyDict_CheckExact(map))
        return -1;
    if (PyDict_GET_SIZE(map) <= FEW_ENTRIES)
        return write_few(writer, item_type, number, map);
    while (PyDict_Next(map, &at, &key, &value))
        if (!PyUnicode_CheckExact(key))
            return -1;
    PyObject *keys = PyDict_Keys(map);
    int done = keys == NULL || PyList_Sort(keys) < 0 ? -1 : 0;
    for (Py_ssize_t i = done < 0 ? -1 : PyList_GET_SIZE(keys) - 1; i >= 0 && done == 0; i--) {
        value = PyDict_GetItemWithError(map, PyList_GET_ITEM(keys, i));
        Py_XINCREF(value);
        done = value == NULL ? -1 : write_entry(writer, item_type, number, PyList_GET_ITEM(keys, i), value);
        Py_XDECREF(value);
    }
    Py_XDECREF(keys);
    return done;
}

static int write_container(Writer *writer, Type *type, uint32_t number, PyObject *value) {
    return type->kind == KIND_LIST ? write_list(writer, type->item, number, value)
                                   : write_map(writer, type->item, number, value);
}

/* --- messages ---------------------------------------------------------------------------------------------------- */

static int write_message(Writer *writer, Type *type, uint32_t number, PyObject *value) {
    Py_ssize_t before = writer->size;
    int done;
    if (++writer->depth > MAX_DEPTH)
        return -1;
    if (type->kind == KIND_STRUCT) {
        int is_ours = type->target->is_filled && Py_IS_TYPE(value, type->target->cls);
        done = is_ours ? write_fields(writer, &type->target->wire, value) : -1;
    } else /* a list or map that is a message of its own */
        done = value == Py_None ? 0 : write_container(writer, type, 1, value);
    writer->depth--;
    return done < 0 ? -1 : close_message(writer, number, before);
}

static int write_value(Writer *writer, Type *type, uint32_t number, PyObject *value) {
    switch (type->kind) {
    case KIND_STRING:
        return write_text(writer, number, value);
    case KIND_BOOL:
        return write_bool(writer, number, value);
    case KIND_FLOAT64:
        return write_double(writer, number, value);
    case KIND_FLOAT32:
        return -1;
    case KIND_BYTES:
        return write_bytes(writer, number, value);
    case KIND_INT_OR_STRING:
        return write_int_or_string(writer, number, value);
    case KIND_TEXT:
    case KIND_RAW:
        return write_known(writer, type->known, number, value);
    case KIND_LIST:
    case KIND_MAP:
    case KIND_STRUCT:
        return write_message(writer, type, number, value);
    default:
        return write_integer(writer, type->kind, number, value);
    }
}

static int write_member(Writer *writer, Member *member, uint32_t number, PyObject *value) {
    Type *type = member->type;
    int is_container = type->kind == KIND_LIST || type->kind == KIND_MAP;
    if (is_container && !type->is_message)
        return value == Py_None ? (member->can_be_none ? 0 : -1) : write_container(writer, type, number, value);
    if (value == Py_None && member->omits_none_on_wire)
        return 0;
    return write_value(writer, type, number, value);
}

static int write_fields(Writer *writer, WireTable *table, PyObject *object) {
    for (Py_ssize_t i = table->count - 1; i >= 0; i--) {
        WireField *field = &table->fields[i];
        Py_ssize_t before = writer->size;
        if (field->inlined != NULL) {
            if (write_fields(writer, field->inlined, object) < 0 || close_message(writer, field->number, before) < 0)
                return -1;
            continue;
        }
        PyObject *value = *(PyObject **)((char *)object + field->offset);
        if (value == NULL)
            return -1;
        if (value == Py_None && field->omits_none)
            continue;
        if (field->member->type->kind == KIND_STRING) { /* calls no Python code */
            if (write_text(writer, field->number, value) < 0)
                return -1;
            continue;
        }
        Py_INCREF(value);
        int done = write_member(writer, field->member, field->number, value);
        Py_DECREF(value);
        if (done < 0)
            return -1;
    }
    return 0;
}

static PyObject *finished(Writer *writer, int done) {
    PyObject *result =
        done < 0 ? NULL : PyBytes_FromStringAndSize(writer->start + writer->room - writer->size, writer->size);
    PyMem_Free(writer->heap);
    return result;
}

/* The `apiVersion` and `kind` of an object as a field of the envelope; empty if it has none. */
static int write_said(Writer *writer, uint32_t number, PyObject *object, Member *member) {
    PyObject *text = member == NULL ? NULL : *slot_of(object, member);
    if (member == NULL)
        return close_message(writer, number, writer->size);
    return text == NULL ? -1 : write_text(writer, number, text);
}

/* The object's message in Kubernetes' envelope, all of whose fields are written even if they are empty. */
static int write_parts(Writer *writer, Struct *layout, PyObject *object) {
    if (put(writer, "\x1a\x00\x22\x00", 4) < 0)
        return -1;
    Py_ssize_t before = writer->size;
    if (write_fields(writer, &layout->wire, object) < 0 || close_message(writer, 2, before) < 0)
        return -1;
    before = writer->size;
    if (write_said(writer, 2, object, layout->kind_member) < 0 ||
        write_said(writer, 1, object, layout->version_member) < 0 || close_message(writer, 1, before) < 0)
        return -1;
    return put(writer, "k8s\0", 4);
}

PyObject *write_envelope(Struct *layout, PyObject *object) {
    char first[FIRST_ROOM];
    Writer writer = {first, FIRST_ROOM, 0, 0, NULL};
    return finished(&writer, write_parts(&writer, layout, object));
}
