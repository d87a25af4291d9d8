/* Reads protobuf messages into objects, as Kubernetes' own code does. Unusual messages are left to Python. */
#include "layout.h"

#include <string.h>

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_LENGTH = 2, WIRE_FIXED32 = 5 };

typedef struct {
    const unsigned char *at, *end;
} Span;

/* An encoded field: its number, wire type and contents. */
typedef struct {
    uint32_t number;
    int wire_type;
    uint64_t varint;
    Span body;
} Field;

static int merge_fields(WireTable *table, PyObject *object, Span span, int depth);
static PyObject *read_body(Type *type, const Field *field, int depth);

/* --- fields ------------------------------------------------------------------------------------------------------ */

static int read_varint(Span *span, uint64_t *number) {
    *number = 0;
    for (int shift = 0; shift < 70 && span->at < span->end; shift += 7) {
        unsigned char byte = *span->at++;
        *number |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        if (byte < 0x80)
            return 1;
    }
    return 0;
}

static int take_bytes(Span *span, uint64_t size, Span *body) {
    if (size > (uint64_t)(span->end - span->at))
        return 0;
    body->at = span->at;
    body->end = span->at += size;
    return 1;
}

static int read_field(Span *span, Field *field) {
    uint64_t tag, size;
    if (!read_varint(span, &tag) || tag > UINT32_MAX || tag >> 3 == 0)
        return 0;
    field->number = (uint32_t)(tag >> 3);
    field->wire_type = (int)(tag & 7);
    switch (field->wire_type) {
    case WIRE_VARINT:
        return read_varint(span, &field->varint);
    case WIRE_LENGTH:
        return read_varint(span, &size) && take_bytes(span, size, &field->body);
    case WIRE_FIXED64:
        return take_bytes(span, 8, &field->body);
    case WIRE_FIXED32:
        return take_bytes(span, 4, &field->body);
    default:
        return 0;
    }
}

static int wire_type_of(const Type *type) {
    switch (type->kind) {
    case KIND_BOOL:
    case KIND_INT32:
    case KIND_INT64:
    case KIND_UINT32:
    case KIND_UINT64:
        return WIRE_VARINT;
    case KIND_FLOAT64:
        return WIRE_FIXED64;
    case KIND_FLOAT32:
        return WIRE_FIXED32;
    default:
        return WIRE_LENGTH;
    }
}

/* --- values ------------------------------------------------------------------------------------------------------ */

static PyObject *text_of(Span body) {
    const char *text = (const char *)body.at;
    Py_ssize_t size = body.end - body.at;
    return is_ascii(text, size) ? ascii_text(text, size) : PyUnicode_DecodeUTF8(text, size, NULL);
}

static PyObject *bytes_of(Span body) {
    return PyBytes_FromStringAndSize((const char *)body.at, body.end - body.at);
}

static PyObject *number_of(const Type *type, uint64_t number) {
    switch (type->kind) {
    case KIND_BOOL:
        return PyBool_FromLong(number != 0);
    case KIND_INT32:
        return PyLong_FromLong((int32_t)number);
    case KIND_INT64:
        return PyLong_FromLongLong((int64_t)number);
    case KIND_UINT32:
        return PyLong_FromUnsignedLong((uint32_t)number);
    default:
        return PyLong_FromUnsignedLongLong(number);
    }
}

static PyObject *float_of(const Type *type, Span body) {
    float single;
    double number;
    if (type->kind == KIND_FLOAT32) {
        memcpy(&single, body.at, 4);
        return PyFloat_FromDouble(single);
    }
    memcpy(&number, body.at, 8);
    return PyFloat_FromDouble(number);
}

/* `seconds = 1, nanos = 2` as Kubernetes writes it: without nanoseconds, and not zero. */
static PyObject *time_of(WellKnown *known, Span body) {
    uint64_t seconds;
    if (body.end - body.at < 4 || *body.at++ != 0x08 || !read_varint(&body, &seconds) || body.end - body.at != 2 ||
        memcmp(body.at, "\x10\x00", 2) != 0 || (int64_t)seconds == ZERO_SECONDS)
        return NULL;
    return time_of_seconds(known, (int64_t)seconds);
}

static PyObject *known_of(WellKnown *known, Span body) {
    if (known->time_class != NULL && body.at == body.end)
        return Py_NewRef(Py_None);
    PyObject *time = known->time_class == NULL ? NULL : time_of(known, body);
    if (time != NULL || PyErr_Occurred())
        return time;
    if (known->text_class != NULL && body.end - body.at >= 2 && body.at[0] == 0x0a && body.at[1] < 0x80 &&
        body.at[1] == body.end - body.at - 2) { /* `string = 1` */
        PyObject *text = text_of((Span){body.at + 2, body.end}), *value = NULL;
        if (text != NULL)
            value = known_of_text(known, text);
        Py_XDECREF(text);
        return value;
    }
    PyObject *data = bytes_of(body);
    if (data == NULL)
        return NULL;
    PyObject *value = PyObject_CallOneArg(known->from_wire, data);
    Py_DECREF(data);
    return value;
}

/* `type = 1, intVal = 2, strVal = 3`, as they are written; any other form is left to Python. */
static PyObject *int_or_string_of(Span body) {
    uint64_t kind = 0, number = 0;
    Span text = {body.at, body.at};
    Field field;
    while (body.at < body.end) {
        if (!read_field(&body, &field) || field.number > 3 ||
            field.wire_type != (field.number == 3 ? WIRE_LENGTH : WIRE_VARINT))
            return NULL;
        if (field.number == 1)
            kind = field.varint;
        else if (field.number == 2)
            number = field.varint;
        else
            text = field.body;
    }
    if (kind > 1)
        return NULL;
    return kind ? text_of(text) : PyLong_FromLong((int32_t)number);
}

/* --- lists and maps ---------------------------------------------------------------------------------------------- */

static int append_packed(PyObject *list, Type *item, Span body) {
    while (body.at < body.end) {
        uint64_t number;
        PyObject *value = read_varint(&body, &number) ? number_of(item, number) : NULL;
        if (value == NULL || PyList_Append(list, value) < 0) {
            Py_XDECREF(value);
            return 0;
        }
        Py_DECREF(value);
    }
    return 1;
}

static int append_item(PyObject *list, Type *item, const Field *field, int depth) {
    if (field->wire_type != wire_type_of(item))
        return wire_type_of(item) == WIRE_VARINT && field->wire_type == WIRE_LENGTH &&
               append_packed(list, item, field->body);
    PyObject *value = read_body(item, field, depth);
    int done = value != NULL && PyList_Append(list, value) == 0;
    Py_XDECREF(value);
    return done;
}

static PyObject *missing_value(Type *type, int depth) {
    Field nothing = {2, WIRE_LENGTH, 0, {(const unsigned char *)"", (const unsigned char *)""}};
    if (type->kind == KIND_FLOAT32 || type->kind == KIND_FLOAT64)
        return PyFloat_FromDouble(0.0);
    return read_body(type, &nothing, depth);
}

static int add_entry(PyObject *map, Type *item, Span body, int depth) {
    Field field, value_field = {0};
    Span key_text = {body.at, body.at};
    while (body.at < body.end) {
        if (!read_field(&body, &field))
            return 0;
        if (field.number == 1 && field.wire_type == WIRE_LENGTH)
            key_text = field.body;
        else if (field.number == 2 && field.wire_type == wire_type_of(item))
            value_field = field;
        else if (field.number <= 2)
            return 0;
    }
    PyObject *key = text_of(key_text);
    PyObject *value = value_field.number ? read_body(item, &value_field, depth) : missing_value(item, depth);
    int done = key != NULL && value != NULL && PyDict_SetItem(map, key, value) == 0;
    Py_XDECREF(key);
    Py_XDECREF(value);
    return done;
}

/* Add the contents of a field to the list or map. */
static int extend(PyObject *container, Type *type, const Field *field, int depth) {
    if (type->kind == KIND_LIST)
        return append_item(container, type->item, field, depth);
    return field->wire_type == WIRE_LENGTH && add_entry(container, type->item, field->body, depth);
}

static PyObject *empty_container(Type *type) { return type->kind == KIND_LIST ? PyList_New(0) : PyDict_New(); }

/* A list or map that is a message of its own: its items are field 1. */
static int merge_container(PyObject *container, Type *type, Span body, int depth) {
    Field field;
    while (body.at < body.end)
        if (!read_field(&body, &field) || (field.number == 1 && !extend(container, type, &field, depth)))
            return 0;
    return 1;
}

/* --- messages ---------------------------------------------------------------------------------------------------- */

static PyObject *read_body(Type *type, const Field *field, int depth) {
    PyObject *value;
    switch (type->kind) {
    case KIND_STRING:
        return text_of(field->body);
    case KIND_BYTES:
        return bytes_of(field->body);
    case KIND_FLOAT32:
    case KIND_FLOAT64:
        return float_of(type, field->body);
    case KIND_INT_OR_STRING:
        return int_or_string_of(field->body);
    case KIND_TEXT:
    case KIND_RAW:
        return known_of(type->known, field->body);
    case KIND_LIST:
    case KIND_MAP:
        value = empty_container(type);
        if (value != NULL && !merge_container(value, type, field->body, depth + 1))
            Py_CLEAR(value);
        return value;
    case KIND_STRUCT:
        value = new_object(type->target);
        if (value != NULL && (!merge_fields(&type->target->wire, value, field->body, depth + 1) ||
                              fill_zeros(type->target, value) < 0))
            Py_CLEAR(value);
        return value;
    default:
        return number_of(type, field->varint);
    }
}

static int merge_member(Member *member, PyObject *object, const Field *field, int depth) {
    Type *type = member->type;
    PyObject **slot = slot_of(object, member);
    int is_container = type->kind == KIND_LIST || type->kind == KIND_MAP;
    int is_there = *slot != NULL && *slot != Py_None;
    if (is_container) {
        if (!is_there)
            Py_XSETREF(*slot, empty_container(type));
        if (*slot == NULL)
            return 0;
        if (type->is_message)
            return field->wire_type == WIRE_LENGTH && merge_container(*slot, type, field->body, depth + 1);
        return extend(*slot, type, field, depth);
    }
    if (field->wire_type != wire_type_of(type))
        return 0;
    if (type->kind == KIND_STRUCT && is_there) /* the field occurs several times and is merged */
        return merge_fields(&type->target->wire, *slot, field->body, depth + 1);
    PyObject *value = read_body(type, field, depth);
    if (value == NULL)
        return 0;
    Py_XSETREF(*slot, value);
    return 1;
}

static WireField *find_field(WireTable *table, uint32_t number, Py_ssize_t *expected) {
    for (Py_ssize_t at = *expected; at < table->count && table->fields[at].number <= number; at++)
        if (table->fields[at].number == number) {
            *expected = at;
            return &table->fields[at];
        }
    Py_ssize_t low = 0, high = table->count;
    while (low < high) {
        Py_ssize_t middle = (low + high) / 2;
        if (table->fields[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == table->count || table->fields[low].number != number)
        return NULL;
    *expected = low;
    return &table->fields[low];
}

static int merge_fields(WireTable *table, PyObject *object, Span span, int depth) {
    Py_ssize_t expected = 0;
    Field field;
    if (depth > MAX_DEPTH)
        return 0;
    while (span.at < span.end) {
        if (!read_field(&span, &field))
            return 0;
        WireField *known = find_field(table, field.number, &expected);
        if (known == NULL)
            continue;
        int done = known->inlined == NULL ? merge_member(known->member, object, &field, depth)
                                          : field.wire_type == WIRE_LENGTH &&
                                                merge_fields(known->inlined, object, field.body, depth + 1);
        if (!done)
            return 0;
    }
    return 1;
}

/* --- Kubernetes' envelope ---------------------------------------------------------------------------------------- */

static int take_field(Span *span, unsigned char tag, Span *body) {
    uint64_t size;
    if (span->at == span->end || *span->at != tag)
        return 0;
    span->at++;
    return read_varint(span, &size) && take_bytes(span, size, body);
}

static int take_exactly(Span *span, const char *bytes, Py_ssize_t size) {
    if (span->end - span->at < size || memcmp(span->at, bytes, size) != 0)
        return 0;
    span->at += size;
    return 1;
}

PyObject *read_wire(Struct *layout, const char *data, Py_ssize_t size) {
    Span span = {(const unsigned char *)data, (const unsigned char *)data + size};
    PyObject *object = new_object(layout);
    if (object != NULL && (!merge_fields(&layout->wire, object, span, 0) || fill_zeros(layout, object) < 0))
        Py_CLEAR(object);
    return object;
}

static void set_text(PyObject *object, Member *member, PyObject *text) {
    PyObject **slot = slot_of(object, member);
    Py_XSETREF(*slot, Py_NewRef(text));
}

int open_envelope(const char *data, Py_ssize_t size, Said *said, const char **raw, Py_ssize_t *raw_size) {
    Span span = {(const unsigned char *)data, (const unsigned char *)data + size}, meta, version, kind, body;
    if (!take_exactly(&span, "k8s\0", 4) || !take_field(&span, 0x0a, &meta) || !take_field(&span, 0x12, &body) ||
        !take_exactly(&span, "\x1a\x00\x22\x00", 4) || span.at != span.end)
        return 0;
    if (!take_field(&meta, 0x0a, &version) || !take_field(&meta, 0x12, &kind) || meta.at != meta.end)
        return 0;
    *said = (Said){(const char *)version.at, (const char *)kind.at, version.end - version.at, kind.end - kind.at};
    *raw = (const char *)body.at;
    *raw_size = body.end - body.at;
    return 1;
}

/* The object in an envelope; without `apiVersion` and `kind`, it has the given layout. */
PyObject *read_envelope(Codec *codec, Struct *layout, const char *data, Py_ssize_t size) {
    Said said;
    const char *raw;
    Py_ssize_t raw_size;
    if (!open_envelope(data, size, &said, &raw, &raw_size))
        return NULL;
    if (layout == NULL)
        layout = kind_named(codec, &said);
    if (layout == NULL || !layout->has_protobuf)
        return NULL;
    PyObject *object = read_wire(layout, raw, raw_size);
    if (object != NULL && layout->version_member != NULL && layout->version != NULL) {
        set_text(object, layout->version_member, layout->version);
        set_text(object, layout->kind_member, layout->kind);
    }
    return object;
}
