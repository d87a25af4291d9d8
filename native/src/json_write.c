/* Writes objects directly as JSON, byte for byte as Kubernetes does. */
#include "layout.h"

#include <string.h>

typedef struct {
    char *start;
    Py_ssize_t size, room;
    int depth;
} Writer;

static int write_value(Writer *writer, Type *type, PyObject *value);
static int write_struct(Writer *writer, Struct *layout, PyObject *object);

static int grow(Writer *writer, Py_ssize_t more) {
    Py_ssize_t room = writer->room;
    while (room < writer->size + more)
        room *= 2;
    char *start = PyMem_Realloc(writer->start, room);
    if (start == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    writer->start = start;
    writer->room = room;
    return 0;
}

static inline int put(Writer *writer, const char *text, Py_ssize_t size) {
    if (writer->size + size > writer->room && grow(writer, size) < 0)
        return -1;
    memcpy(writer->start + writer->size, text, size);
    writer->size += size;
    return 0;
}

static inline int put_byte(Writer *writer, char byte) { return put(writer, &byte, 1); }

/* --- strings ----------------------------------------------------------------------------------------------------- */

/* What Go escapes: 1 control characters, quotes and backslashes, 2 special characters of HTML, 3 line separators (E2 80 A8/A9). */
static const unsigned char ESCAPED[256] = {
    [0x00 ... 0x1f] = 1, ['"'] = 1, ['\\'] = 1, ['<'] = 2, ['>'] = 2, ['&'] = 2, [0xe2] = 3,
};

static int put_escaped(Writer *writer, unsigned char byte) {
    static const char HEX[] = "0123456789abcdef";
    static const char FROM[] = "\"\\\b\f\n\r\t", TO[] = "\"\\bfnrt";
    const char *found = byte ? strchr(FROM, byte) : NULL;
    char text[6] = {'\\', 'u', '0', '0', HEX[byte >> 4], HEX[byte & 15]};
    if (found == NULL)
        return put(writer, text, 6);
    text[1] = TO[found - FROM];
    return put(writer, text, 2);
}

static int is_line_separator(const unsigned char *at, const unsigned char *end) {
    return end - at >= 3 && at[1] == 0x80 && (at[2] == 0xa8 || at[2] == 0xa9);
}

/* Text with the characters escaped whose class is at least `least`. */
static int put_escaping(Writer *writer, const char *text, Py_ssize_t size, int least) {
    const unsigned char *at = (const unsigned char *)text, *end = at + size, *done = at;
    for (; at < end; at++) {
        if (ESCAPED[*at] < least || (ESCAPED[*at] == 3 && !is_line_separator(at, end)))
            continue;
        if (put(writer, (const char *)done, at - done) < 0)
            return -1;
        if (*at == 0xe2) {
            if (put(writer, at[2] == 0xa8 ? "\\u2028" : "\\u2029", 6) < 0)
                return -1;
            at += 2;
        } else if (put_escaped(writer, *at) < 0)
            return -1;
        done = at + 1;
    }
    return put(writer, (const char *)done, end - done);
}

static int put_text(Writer *writer, const char *text, Py_ssize_t size) {
    if (put_byte(writer, '"') < 0 || put_escaping(writer, text, size, 1) < 0)
        return -1;
    return put_byte(writer, '"');
}

/* A string of JSON, quotes included, in which only characters with a meaning in HTML or JavaScript may need escapes. */
static int put_source(Writer *writer, const char *text, Py_ssize_t size) {
    return put_escaping(writer, text, size, 2);
}

static int write_string(Writer *writer, PyObject *value) {
    Py_ssize_t size;
    if (!is_text(value))
        return -1;
    const char *text = PyUnicode_AsUTF8AndSize(value, &size);
    return text == NULL ? -1 : put_text(writer, text, size);
}

/* --- scalars ----------------------------------------------------------------------------------------------------- */

/* A uint64 that an int64 cannot hold is left to Python. */
static int write_integer(Writer *writer, Kind kind, PyObject *value) {
    long long number;
    if (long_of(kind, value, &number) < 0 || (kind == KIND_UINT64 && number < 0))
        return -1;
    char digits[24];
    char *at = digits + sizeof(digits);
    unsigned long long left = number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number;
    do {
        *--at = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (number < 0)
        *--at = '-';
    return put(writer, at, digits + sizeof(digits) - at);
}

static int write_base64(Writer *writer, PyObject *value) {
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (!PyBytes_CheckExact(value))
        return -1;
    const unsigned char *at = (const unsigned char *)PyBytes_AS_STRING(value);
    Py_ssize_t left = PyBytes_GET_SIZE(value);
    if (put_byte(writer, '"') < 0)
        return -1;
    for (; left > 0; at += 3, left -= 3) {
        uint32_t bits = (uint32_t)at[0] << 16 | (left > 1 ? (uint32_t)at[1] << 8 : 0) | (left > 2 ? at[2] : 0);
        char four[4] = {DIGITS[bits >> 18], DIGITS[bits >> 12 & 63], left > 1 ? DIGITS[bits >> 6 & 63] : '=',
                        left > 2 ? DIGITS[bits & 63] : '='};
        if (put(writer, four, 4) < 0)
            return -1;
    }
    return put_byte(writer, '"');
}

static int write_known(Writer *writer, WellKnown *known, PyObject *value) {
    char time[22];
    if (known->time_class != NULL && text_of_time(known, value, time))
        return put(writer, time, 22);
    PyObject *held = text_of_known(known, value);
    PyObject *text = held != NULL ? Py_NewRef(held) : PyObject_CallOneArg(known->to_json, value);
    int done = text == NULL ? -1 : write_string(writer, text);
    Py_XDECREF(text);
    return done;
}

/* JSON text without the spaces between its tokens. */
static int put_compacted(Writer *writer, const char *text, Py_ssize_t size) {
    const char *at = text, *end = text + size, *start;
    while (at < end) {
        if (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t') {
            at++;
            continue;
        }
        for (start = at; at < end && *at != '"' && *at != ' ' && *at != '\n' && *at != '\r' && *at != '\t';)
            at++;
        if (put(writer, start, at - start) < 0)
            return -1;
        if (at == end || *at != '"')
            continue;
        for (start = at++; *at != '"'; at++)
            at += *at == '\\';
        at++;
        if (put_source(writer, start, at - start) < 0)
            return -1;
    }
    return 0;
}

static int write_raw(Writer *writer, WellKnown *known, PyObject *value) {
    PyObject *source = PyObject_CallOneArg(known->to_json, value);
    if (source == NULL)
        return -1;
    int done = -1;
    if (PyBytes_CheckExact(source) && is_plain_json(PyBytes_AS_STRING(source), PyBytes_GET_SIZE(source)))
        done = put_compacted(writer, PyBytes_AS_STRING(source), PyBytes_GET_SIZE(source));
    Py_DECREF(source);
    return done;
}

/* --- lists and maps ---------------------------------------------------------------------------------------------- */

static int write_item(Writer *writer, Type *type, PyObject *value) {
    if (value == Py_None)
        return type->nullable ? put(writer, "null", 4) : -1;
    return write_value(writer, type, value);
}

static int write_list(Writer *writer, Type *item_type, PyObject *list) {
    if (!PyList_CheckExact(list) || put_byte(writer, '[') < 0)
        return -1;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        if (i > 0 && put_byte(writer, ',') < 0)
            return -1;
        PyObject *item = Py_NewRef(PyList_GET_ITEM(list, i));
        int done = write_item(writer, item_type, item);
        Py_DECREF(item);
        if (done < 0)
            return -1;
    }
    return put_byte(writer, ']');
}

/* The entries as (key, value), sorted by key. */
static PyObject *sorted_entries(PyObject *map) {
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(map, &at, &key, &value))
        if (!PyUnicode_CheckExact(key))
            return NULL;
    PyObject *keys = PyDict_Keys(map);
    if (keys != NULL && PyList_GET_SIZE(keys) > 1 && PyList_Sort(keys) < 0)
        Py_CLEAR(keys);
    return keys;
}

static int write_entries(Writer *writer, Type *item_type, PyObject *map, PyObject *keys) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(keys); i++) {
        PyObject *key = PyList_GET_ITEM(keys, i);
        PyObject *item = PyDict_GetItemWithError(map, key);
        if (item == NULL || (i > 0 && put_byte(writer, ',') < 0))
            return -1;
        if (write_string(writer, key) < 0 || put_byte(writer, ':') < 0)
            return -1;
        Py_INCREF(item);
        int done = write_item(writer, item_type, item);
        Py_DECREF(item);
        if (done < 0)
            return -1;
    }
    return 0;
}

static int write_map(Writer *writer, Type *item_type, PyObject *map) {
    if (!PyDict_CheckExact(map) || put_byte(writer, '{') < 0)
        return -1;
    PyObject *keys = sorted_entries(map);
    if (keys == NULL)
        return -1;
    int done = write_entries(writer, item_type, map, keys);
    Py_DECREF(keys);
    return done < 0 ? -1 : put_byte(writer, '}');
}

static int write_nested(Writer *writer, Type *type, PyObject *value) {
    int done;
    if (++writer->depth > MAX_DEPTH)
        return -1;
    if (type->kind == KIND_LIST)
        done = write_list(writer, type->item, value);
    else if (type->kind == KIND_MAP)
        done = write_map(writer, type->item, value);
    else
        done = write_struct(writer, type->target, value);
    writer->depth--;
    return done;
}

static int write_value(Writer *writer, Type *type, PyObject *value) {
    switch (type->kind) {
    case KIND_STRING:
        return write_string(writer, value);
    case KIND_BOOL:
        if (!PyBool_Check(value))
            return -1;
        return value == Py_True ? put(writer, "true", 4) : put(writer, "false", 5);
    case KIND_FLOAT32:
    case KIND_FLOAT64:
        return -1;
    case KIND_BYTES:
        return write_base64(writer, value);
    case KIND_INT_OR_STRING:
        return PyUnicode_Check(value) ? write_string(writer, value) : write_integer(writer, KIND_INT32, value);
    case KIND_TEXT:
        return write_known(writer, type->known, value);
    case KIND_RAW:
        return write_raw(writer, type->known, value);
    case KIND_LIST:
    case KIND_MAP:
    case KIND_STRUCT:
        return write_nested(writer, type, value);
    default:
        return write_integer(writer, type->kind, value);
    }
}

/* --- structs ----------------------------------------------------------------------------------------------------- */

/* Whether a value is zero, which represents an unset value of a type that cannot be None; -1 if only Python can decide,
   as for values of other types. */
static int is_zero(Type *type, PyObject *value) {
    switch (type->kind) {
    case KIND_STRING:
        return is_text(value) ? PyUnicode_GET_LENGTH(value) == 0 : -1;
    case KIND_BOOL:
        return PyBool_Check(value) ? value == Py_False : -1;
    case KIND_FLOAT32:
    case KIND_FLOAT64:
        return PyFloat_CheckExact(value) ? PyFloat_AS_DOUBLE(value) == 0 : -1;
    case KIND_BYTES:
        return PyBytes_CheckExact(value) ? PyBytes_GET_SIZE(value) == 0 : -1;
    case KIND_LIST:
        return PyList_CheckExact(value) ? PyList_GET_SIZE(value) == 0 : -1;
    case KIND_MAP:
        return PyDict_CheckExact(value) ? PyDict_GET_SIZE(value) == 0 : -1;
    case KIND_RAW:
        return -1;
    case KIND_STRUCT: {
        PyObject *zero = zero_of(type);
        int same = zero == NULL ? -1 : PyObject_RichCompareBool(value, zero, Py_EQ);
        Py_XDECREF(zero);
        return same;
    }
    case KIND_INT_OR_STRING:
        return PyLong_CheckExact(value) && PyObject_Not(value);
    case KIND_TEXT: /* values of other classes are not equal to it, and get their error where they are written */
        return type->known->zero == Py_None ? 0 : PyObject_RichCompareBool(value, type->known->zero, Py_EQ);
    default:
        return PyLong_CheckExact(value) ? PyObject_Not(value) : -1;
    }
}

static int write_member(Writer *writer, Member *member, PyObject *value, int *is_first) {
    if (member->omission != OMIT_NEVER) {
        if (value == Py_None)
            return member->can_be_none ? 0 : -1;
        int omitted = member->omission == OMIT_ZERO ? is_zero(member->type, value) : 0;
        if (omitted != 0)
            return omitted < 0 ? -1 : 0;
    }
    if ((!*is_first && put_byte(writer, ',') < 0) || put(writer, member->written, member->written_size) < 0)
        return -1;
    *is_first = 0;
    if (value == Py_None)
        return member->can_be_none ? put(writer, "null", 4) : -1;
    return write_value(writer, member->type, value);
}

static int write_struct(Writer *writer, Struct *layout, PyObject *object) {
    int is_first = 1;
    if (!layout->is_filled || !Py_IS_TYPE(object, layout->cls) || put_byte(writer, '{') < 0)
        return -1;
    for (Py_ssize_t i = 0; i < layout->count; i++) {
        Member *member = &layout->members[i];
        PyObject *value = *slot_of(object, member);
        if (value == NULL)
            return -1;
        Py_INCREF(value);
        int done = write_member(writer, member, value, &is_first);
        Py_DECREF(value);
        if (done < 0)
            return -1;
    }
    return put_byte(writer, '}');
}

PyObject *write_json(Struct *layout, PyObject *object) {
    Writer writer = {PyMem_Malloc(1024), 0, 1024, 0};
    if (writer.start == NULL)
        return PyErr_NoMemory();
    int done = write_struct(&writer, layout, object);
    PyObject *result = done < 0 ? NULL : PyBytes_FromStringAndSize(writer.start, writer.size);
    PyMem_Free(writer.start);
    return result;
}
