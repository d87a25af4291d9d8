/* Reads JSON directly into objects, without a tree of dicts. Strict; unusual documents are left to the Python code. */
#include "json_scan.h"

static PyObject *read_value(Reader *reader, Type *type);
static PyObject *read_struct(Reader *reader, Struct *layout, int is_document);

/* --- values ------------------------------------------------------------------------------------------------------ */

static PyObject *read_bool(Reader *reader) {
    if (take_word(reader, "true", 4))
        Py_RETURN_TRUE;
    if (take_word(reader, "false", 5))
        Py_RETURN_FALSE;
    return NULL;
}

/* A time, or the value that the runtime reads from the string. */
static PyObject *read_known(Reader *reader, WellKnown *known) {
    Text text;
    PyObject *value = NULL, *string;
    if (!read_text(reader, &text))
        return NULL;
    if (known->time_class != NULL)
        value = time_of_text(known, text.start, text.size);
    if (value != NULL || PyErr_Occurred() || (string = text_object(&text)) == NULL)
        return value;
    value = known->text_class != NULL ? known_of_text(known, string) : PyObject_CallOneArg(known->from_json, string);
    Py_DECREF(string);
    return value;
}

static const signed char *base64_values(void) {
    static signed char values[256];
    if (values['B'] == 0) {
        static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        memset(values, -1, sizeof(values));
        for (int i = 0; i < 64; i++)
            values[(unsigned char)DIGITS[i]] = (signed char)i;
    }
    return values;
}

/* Standard base64 with padding and without line breaks. */
static PyObject *read_base64(Reader *reader) {
    const signed char *values = base64_values();
    Text text;
    if (!read_text(reader, &text) || text.has_escapes || text.size % 4 != 0)
        return NULL;
    const unsigned char *at = (const unsigned char *)text.start, *end = at + text.size;
    int padding = text.size == 0 ? 0 : (end[-1] == '=') + (end[-1] == '=' && end[-2] == '=');
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, text.size / 4 * 3 - padding);
    if (bytes == NULL)
        return NULL;
    unsigned char *out = (unsigned char *)PyBytes_AS_STRING(bytes), *out_end = out + PyBytes_GET_SIZE(bytes);
    for (; at < end; at += 4) {
        int known = at + 4 == end ? 4 - padding : 4, bits = 0;
        for (int i = 0; i < 4; i++) {
            int value = i < known ? values[at[i]] : 0;
            if (value < 0) {
                Py_DECREF(bytes);
                return NULL;
            }
            bits = bits << 6 | value;
        }
        for (int shift = 16; shift >= 0 && out < out_end; shift -= 8)
            *out++ = (unsigned char)(bits >> shift);
    }
    return bytes;
}

static PyObject *read_raw(Reader *reader, WellKnown *known) {
    const char *start = reader->at;
    if (!skip_value(reader))
        return NULL;
    PyObject *source = PyBytes_FromStringAndSize(start, reader->at - start);
    if (source == NULL)
        return NULL;
    PyObject *value = PyObject_CallOneArg(known->from_json, source);
    Py_DECREF(source);
    return value;
}

static PyObject *read_list(Reader *reader, Type *item_type) {
    if (!take(reader, '['))
        return NULL;
    PyObject *list = PyList_New(0);
    if (list == NULL)
        return NULL;
    skip_space(reader);
    if (take(reader, ']'))
        return list;
    do {
        skip_space(reader);
        PyObject *item = read_value(reader, item_type);
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_XDECREF(item);
            Py_DECREF(list);
            return NULL;
        }
        Py_DECREF(item);
        skip_space(reader);
    } while (take(reader, ','));
    if (!take(reader, ']'))
        Py_CLEAR(list);
    return list;
}

static int read_entry(Reader *reader, Type *item_type, PyObject *map) {
    skip_space(reader);
    PyObject *key = read_string(reader), *item = NULL;
    int done = -1;
    if (key != NULL) {
        skip_space(reader);
        if (take(reader, ':')) {
            skip_space(reader);
            item = read_value(reader, item_type);
            if (item != NULL)
                done = PyDict_SetItem(map, key, item);
        }
    }
    Py_XDECREF(key);
    Py_XDECREF(item);
    return done;
}

static PyObject *read_map(Reader *reader, Type *item_type) {
    if (!take(reader, '{'))
        return NULL;
    PyObject *map = PyDict_New();
    if (map == NULL)
        return NULL;
    skip_space(reader);
    if (take(reader, '}'))
        return map;
    do {
        if (read_entry(reader, item_type, map) < 0) {
            Py_DECREF(map);
            return NULL;
        }
        skip_space(reader);
    } while (take(reader, ','));
    if (!take(reader, '}'))
        Py_CLEAR(map);
    return map;
}

static PyObject *read_nested(Reader *reader, Type *type) {
    if (++reader->depth > MAX_DEPTH)
        return NULL;
    PyObject *value;
    if (type->kind == KIND_LIST)
        value = read_list(reader, type->item);
    else if (type->kind == KIND_MAP)
        value = read_map(reader, type->item);
    else
        value = read_struct(reader, type->target, 0);
    reader->depth--;
    return value;
}

static PyObject *null_value(Type *type) {
    if (type->kind == KIND_TEXT && type->known->null_is_error)
        return NULL;
    return type->nullable ? Py_NewRef(Py_None) : zero_of(type);
}

static PyObject *read_value(Reader *reader, Type *type) {
    if (*reader->at == 'n')
        return take_word(reader, "null", 4) ? null_value(type) : NULL;
    switch (type->kind) {
    case KIND_STRING:
        return read_string(reader);
    case KIND_BOOL:
        return read_bool(reader);
    case KIND_INT32:
        return read_integer(reader, INT32_MIN, INT32_MAX);
    case KIND_INT64:
        return read_integer(reader, INT64_MIN, INT64_MAX);
    case KIND_UINT32:
        return read_integer(reader, 0, UINT32_MAX);
    case KIND_UINT64:
        return read_integer(reader, 0, INT64_MAX);
    case KIND_INT_OR_STRING:
        return *reader->at == '"' ? read_string(reader) : read_integer(reader, INT32_MIN, INT32_MAX);
    case KIND_TEXT:
        return read_known(reader, type->known);
    case KIND_RAW:
        return read_raw(reader, type->known);
    case KIND_LIST:
    case KIND_MAP:
    case KIND_STRUCT:
        return read_nested(reader, type);
    case KIND_BYTES:
        return read_base64(reader);
    default: /* floats */
        return NULL;
    }
}

/* --- structs ----------------------------------------------------------------------------------------------------- */

/* Whether `apiVersion` or `kind` is written in other capitals, which Kubernetes accepts, too. */
static int may_be_type_meta(const Text *name) {
    return (name->size == 4 && strncasecmp(name->start, "kind", 4) == 0) ||
           (name->size == 10 && strncasecmp(name->start, "apiversion", 10) == 0);
}

static int read_member(Reader *reader, Struct *layout, PyObject *object, Py_ssize_t *expected, int is_document) {
    Text name;
    if (!read_text(reader, &name) || name.has_escapes || !name.is_ascii)
        return 0;
    Member *member = *expected < layout->count ? &layout->members[*expected] : NULL;
    if (member == NULL || member->name_size != name.size || memcmp(member->name, name.start, name.size) != 0)
        member = find_member(layout, name.start, name.size);
    skip_space(reader);
    if (!take(reader, ':'))
        return 0;
    skip_space(reader);
    if (member == NULL)
        return !(is_document && may_be_type_meta(&name)) && skip_value(reader);
    *expected = member - layout->members + 1;
    PyObject **slot = slot_of(object, member);
    if (*slot != NULL) /* a duplicate */
        return 0;
    if (*reader->at == 'n') {
        int refuses = member->type->kind == KIND_TEXT && member->type->known->null_is_error;
        return !refuses && take_word(reader, "null", 4);
    }
    *slot = read_value(reader, member->type);
    return *slot != NULL;
}

static int read_members(Reader *reader, Struct *layout, PyObject *object, int is_document) {
    Py_ssize_t expected = 0;
    if (!take(reader, '{'))
        return 0;
    skip_space(reader);
    if (take(reader, '}'))
        return 1;
    do {
        skip_space(reader);
        if (!read_member(reader, layout, object, &expected, is_document))
            return 0;
        skip_space(reader);
    } while (take(reader, ','));
    return take(reader, '}');
}

static PyObject *read_struct(Reader *reader, Struct *layout, int is_document) {
    PyObject *object = new_object(layout);
    if (object == NULL)
        return NULL;
    if (!read_members(reader, layout, object, is_document) || fill_zeros(layout, object) < 0)
        Py_CLEAR(object);
    return object;
}

/* --- documents --------------------------------------------------------------------------------------------------- */

static int is_utf8(const char *text, Py_ssize_t size) {
    PyObject *decoded = PyUnicode_DecodeUTF8(text, size, NULL);
    Py_XDECREF(decoded);
    return decoded != NULL;
}

int is_plain_json(const char *text, Py_ssize_t size) {
    Reader reader = {text, text + size, 0};
    if ((!is_ascii(text, size) && !is_utf8(text, size)) || !skip_value(&reader))
        return 0;
    skip_space(&reader);
    return reader.at == reader.end;
}

PyObject *read_json(Struct *layout, const char *text, Py_ssize_t size) {
    Reader reader = {text, text + size, 0};
    if (!is_ascii(text, size) && !is_utf8(text, size))
        return NULL;
    skip_space(&reader);
    PyObject *object = read_struct(&reader, layout, 1);
    if (object == NULL)
        return NULL;
    skip_space(&reader);
    if (reader.at != reader.end)
        Py_CLEAR(object);
    return object;
}

static int read_plain(Reader *reader, Text *text) {
    return read_text(reader, text) && !text->has_escapes && text->is_ascii;
}

int said_in_json(const char *json, Py_ssize_t size, Said *said) {
    Reader reader = {json, json + size, 0};
    Text name, kind = {0}, version = {0};
    skip_space(&reader);
    if (!take(&reader, '{'))
        return 0;
    do {
        skip_space(&reader);
        if (!read_plain(&reader, &name))
            return 0;
        skip_space(&reader);
        if (!take(&reader, ':'))
            return 0;
        skip_space(&reader);
        Text *wanted = NULL;
        if (name.size == 4 && memcmp(name.start, "kind", 4) == 0)
            wanted = &kind;
        else if (name.size == 10 && memcmp(name.start, "apiVersion", 10) == 0)
            wanted = &version;
        if (wanted != NULL ? !read_plain(&reader, wanted) : !skip_value(&reader))
            return 0;
        skip_space(&reader);
    } while ((kind.start == NULL || version.start == NULL) && take(&reader, ','));
    if (kind.start == NULL || version.start == NULL)
        return 0;
    *said = (Said){version.start, kind.start, version.size, kind.size};
    return 1;
}
