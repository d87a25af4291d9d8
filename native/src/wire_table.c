/* The members by their field numbers: the part of a layout that is filled in field by field. */
#include "layout.h"

#include <string.h>

#define MOST_NUMBER 0x1fffffff /* protobuf's limit: tags have 32 bits, three of them for the wire type */

/* Put a field where it belongs by its number; return it. */
static WireField *wire_field(Codec *codec, WireTable *table, uint32_t number) {
    Py_ssize_t at = 0;
    while (at < table->count && table->fields[at].number < number)
        at++;
    if (at < table->count && table->fields[at].number == number)
        return &table->fields[at];
    WireField *fields = codec_alloc(codec, (table->count + 1) * sizeof(WireField));
    if (fields == NULL)
        return NULL;
    if (table->count > 0) {
        memcpy(fields, table->fields, at * sizeof(WireField));
        memcpy(fields + at + 1, table->fields + at, (table->count - at) * sizeof(WireField));
    }
    table->fields = fields;
    table->count++;
    fields[at] = (WireField){.number = number};
    return &fields[at];
}

int add_to_wire(Codec *codec, WireTable *table, PyObject *numbers, Member *member) {
    Py_ssize_t count = PyTuple_Check(numbers) ? PyTuple_GET_SIZE(numbers) : -1;
    if (count < 0) {
        PyErr_Format(PyExc_TypeError, "%R is not a tuple of numbers", numbers);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        unsigned long number = PyLong_AsUnsignedLong(PyTuple_GET_ITEM(numbers, i));
        if (!PyErr_Occurred() && (number == 0 || number > MOST_NUMBER))
            PyErr_Format(PyExc_ValueError, "%lu is not a field number", number);
        if (PyErr_Occurred())
            return -1;
        WireField *field = wire_field(codec, table, (uint32_t)number);
        if (field == NULL)
            return -1;
        if (i == count - 1 && member != NULL) {
            field->member = member;
            field->offset = member->offset;
            field->omits_none = member->omits_none_on_wire;
            return 0;
        }
        if (field->inlined == NULL && (field->inlined = codec_alloc(codec, sizeof(WireTable))) == NULL)
            return -1;
        table = field->inlined;
    }
    return 0;
}
