/* The tokens of JSON: strings, numbers, and values that are skipped. All functions are static, to be inlined. */
#ifndef APIGEN_JSON_SCAN_H
#define APIGEN_JSON_SCAN_H

#include "layout.h"

#include <string.h>

typedef struct {
    const char *at;
    const char *end; /* points to a NUL, which terminates the bytes of Python */
    int depth;
} Reader;

static int skip_value(Reader *reader);

static inline void skip_space(Reader *reader) {
    while (*reader->at == ' ' || *reader->at == '\n' || *reader->at == '\r' || *reader->at == '\t')
        reader->at++;
}

static inline int take(Reader *reader, char c) {
    if (*reader->at != c)
        return 0;
    reader->at++;
    return 1;
}

static int take_word(Reader *reader, const char *word, size_t size) {
    if ((size_t)(reader->end - reader->at) < size || memcmp(reader->at, word, size) != 0)
        return 0;
    reader->at += size;
    return 1;
}

/* --- strings ----------------------------------------------------------------------------------------------------- */

typedef struct {
    const char *start;
    Py_ssize_t size;
    int has_escapes;
    int is_ascii;
} Text;

/* For each byte: 0 ordinary, 1 the end of a string, 2 an escape, 3 not allowed in one, 4 not ASCII. */
static const unsigned char CLASSES[256] = {
    [0x00 ... 0x1f] = 3,
    ['"'] = 1,
    ['\\'] = 2,
    [0x80 ... 0xff] = 4,
};

static int escape_size(const char *at) {
    if (at[1] != 'u')
        return at[1] != 0 && strchr("\"\\/bfnrt", at[1]) != NULL ? 2 : 0;
    for (int i = 2; i < 6; i++)
        if (!((at[i] >= '0' && at[i] <= '9') || (at[i] >= 'a' && at[i] <= 'f') || (at[i] >= 'A' && at[i] <= 'F')))
            return 0;
    /* surrogates have special rules */
    return (at[2] == 'd' || at[2] == 'D') && at[3] >= '8' ? 0 : 6;
}

/* Read the text up to the closing quote, and advance behind it; 0 if it has escapes or is invalid. */
static int read_text(Reader *reader, Text *text) {
    const char *at = reader->at;
    if (*at != '"')
        return 0;
    text->start = ++at;
    text->has_escapes = 0;
    text->is_ascii = 1;
    for (;;) {
        while (CLASSES[(unsigned char)*at] == 0)
            at++;
        switch (CLASSES[(unsigned char)*at]) {
        case 1:
            text->size = at - text->start;
            reader->at = at + 1;
            return 1;
        case 2: {
            int size = escape_size(at);
            if (size == 0)
                return 0;
            text->has_escapes = 1;
            at += size;
            break;
        }
        case 3:
            return 0;
        default:
            text->is_ascii = 0;
            at++;
        }
    }
}

static int hex_digit(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

static char *put_escape(const char *at, char *out) {
    static const char FROM[] = "\"\\/bfnrt", TO[] = "\"\\/\b\f\n\r\t";
    if (at[1] != 'u') {
        *out++ = TO[strchr(FROM, at[1]) - FROM];
        return out;
    }
    unsigned code = 0;
    for (int i = 2; i < 6; i++)
        code = code << 4 | (unsigned)hex_digit(at[i]);
    if (code < 0x80)
        *out++ = (char)code;
    else if (code < 0x800) {
        *out++ = (char)(0xc0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3f));
    } else {
        *out++ = (char)(0xe0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3f));
        *out++ = (char)(0x80 | (code & 0x3f));
    }
    return out;
}

static PyObject *unescaped(const Text *text) {
    char *buffer = PyMem_Malloc(text->size);
    if (buffer == NULL)
        return PyErr_NoMemory();
    char *out = buffer;
    const char *end = text->start + text->size;
    for (const char *at = text->start; at < end;) {
        if (*at == '\\') {
            out = put_escape(at, out);
            at += at[1] == 'u' ? 6 : 2;
        } else
            *out++ = *at++;
    }
    PyObject *result = PyUnicode_DecodeUTF8(buffer, out - buffer, NULL);
    PyMem_Free(buffer);
    return result;
}

static PyObject *text_object(const Text *text) {
    if (text->has_escapes)
        return unescaped(text);
    if (!text->is_ascii)
        return PyUnicode_DecodeUTF8(text->start, text->size, NULL);
    return ascii_text(text->start, text->size);
}

static PyObject *read_string(Reader *reader) {
    Text text;
    return read_text(reader, &text) ? text_object(&text) : NULL;
}

/* --- numbers ----------------------------------------------------------------------------------------------------- */

#define MOST_DIGITS 640 /* the lowest limit that Python allows */

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static Py_ssize_t skip_digits(Reader *reader) {
    const char *start = reader->at;
    while (is_digit(*reader->at))
        reader->at++;
    return reader->at - start;
}

/* Any number; 0 if it is not a number, or an integer with more digits than the lowest limit of Python. */
static int skip_number(Reader *reader) {
    take(reader, '-');
    if (!take(reader, '0')) {
        Py_ssize_t digits = skip_digits(reader);
        if (digits == 0 || digits > MOST_DIGITS)
            return 0;
    }
    if (take(reader, '.') && skip_digits(reader) == 0)
        return 0;
    if (*reader->at == 'e' || *reader->at == 'E') {
        reader->at++;
        if (*reader->at == '+' || *reader->at == '-')
            reader->at++;
        return skip_digits(reader) > 0;
    }
    return 1;
}

/* An integer of up to 18 digits within bounds. */
static PyObject *read_integer(Reader *reader, int64_t low, int64_t high) {
    int is_negative = take(reader, '-');
    const char *start = reader->at;
    int64_t number = 0;
    while (is_digit(*reader->at) && reader->at - start < 18)
        number = number * 10 + (*reader->at++ - '0');
    Py_ssize_t size = reader->at - start;
    if (size == 0 || (size > 1 && *start == '0') || is_digit(*reader->at) || *reader->at == '.' ||
        (*reader->at | 0x20) == 'e')
        return NULL;
    number = is_negative ? -number : number;
    return number < low || number > high ? NULL : PyLong_FromLongLong(number);
}

/* --- unknown values ---------------------------------------------------------------------------------------------- */

static int skip_members(Reader *reader) {
    reader->at++;
    skip_space(reader);
    if (take(reader, '}'))
        return 1;
    do {
        Text name;
        skip_space(reader);
        if (!read_text(reader, &name))
            return 0;
        skip_space(reader);
        if (!take(reader, ':') || !skip_value(reader))
            return 0;
        skip_space(reader);
    } while (take(reader, ','));
    return take(reader, '}');
}

static int skip_items(Reader *reader) {
    reader->at++;
    skip_space(reader);
    if (take(reader, ']'))
        return 1;
    do {
        if (!skip_value(reader))
            return 0;
        skip_space(reader);
    } while (take(reader, ','));
    return take(reader, ']');
}

/* Any value, with spaces before it; 0 if it is invalid JSON, or nested too deeply. */
static int skip_value(Reader *reader) {
    Text text;
    int found;
    skip_space(reader);
    switch (*reader->at) {
    case '"':
        return read_text(reader, &text);
    case '{':
    case '[':
        if (++reader->depth > MAX_DEPTH)
            return 0;
        found = *reader->at == '{' ? skip_members(reader) : skip_items(reader);
        reader->depth--;
        return found;
    case 't':
        return take_word(reader, "true", 4);
    case 'f':
        return take_word(reader, "false", 5);
    case 'n':
        return take_word(reader, "null", 4);
    default:
        return skip_number(reader);
    }
}

#endif
