/* Layouts: made once from the tuples that generated code has, then only read. */
#include "layout.h"

#include <string.h>
#include <structmember.h>

#define MOST_NUMBER 0x1fffffff /* protobuf's limit: tags have 32 bits, three of them for the wire type */

int is_fatal(void) {
    return PyErr_Occurred() != NULL &&
           (PyErr_ExceptionMatches(PyExc_MemoryError) || !PyErr_ExceptionMatches(PyExc_Exception));
}

PyObject *left_to_python(PyObject *instead) {
    if (is_fatal())
        return NULL;
    PyErr_Clear();
    return Py_NewRef(instead);
}

void *codec_alloc(Codec *codec, size_t size) {
    if (codec->block_count == codec->block_room) {
        Py_ssize_t room = codec->block_room ? 2 * codec->block_room : 256;
        void **blocks = PyMem_Realloc(codec->blocks, room * sizeof(void *));
        if (blocks == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        codec->blocks = blocks;
        codec->block_room = room;
    }
    void *block = PyMem_Calloc(1, size ? size : 1);
    if (block == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    codec->blocks[codec->block_count++] = block;
    return block;
}

int codec_keep(Codec *codec, PyObject *object) { return PyList_Append(codec->objects, object); }

static Struct *struct_for(Codec *codec, PyObject *cls) {
    PyObject *address = PyDict_GetItemWithError(codec->structs, cls);
    if (address != NULL)
        return PyLong_AsVoidPtr(address);
    if (PyErr_Occurred())
        return NULL;
    Struct *layout = codec_alloc(codec, sizeof(Struct));
    if (layout == NULL || codec_keep(codec, cls) < 0)
        return NULL;
    layout->cls = (PyTypeObject *)cls;
    address = PyLong_FromVoidPtr(layout);
    if (address == NULL || PyDict_SetItem(codec->structs, cls, address) < 0) {
        Py_XDECREF(address);
        return NULL;
    }
    Py_DECREF(address);
    return layout;
}

Struct *codec_struct(Codec *codec, PyTypeObject *cls) {
    Struct **recent = &codec->recent[((uintptr_t)cls >> 6) % MOST_RECENT];
    if (*recent != NULL && (*recent)->cls == cls)
        return *recent;
    PyObject *address = PyDict_GetItemWithError(codec->structs, (PyObject *)cls);
    if (address == NULL)
        return NULL;
    Struct *layout = PyLong_AsVoidPtr(address);
    return layout->is_filled ? (*recent = layout) : NULL;
}

/* --- types ------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    Kind kind;
} SCALARS[] = {
    {"string", KIND_STRING},   {"bool", KIND_BOOL},       {"int32", KIND_INT32},
    {"int64", KIND_INT64},     {"uint32", KIND_UINT32},   {"uint64", KIND_UINT64},
    {"float32", KIND_FLOAT32}, {"float64", KIND_FLOAT64}, {"bytes", KIND_BYTES},
    {"IntOrString", KIND_INT_OR_STRING},
};

static int is_raw(PyObject *name) {
    return PyUnicode_CompareWithASCIIString(name, "RawExtension") == 0 ||
           PyUnicode_CompareWithASCIIString(name, "FieldsV1") == 0;
}

static int named_type(Codec *codec, PyObject *name, Type *type) {
    for (size_t i = 0; i < sizeof(SCALARS) / sizeof(SCALARS[0]); i++)
        if (PyUnicode_CompareWithASCIIString(name, SCALARS[i].name) == 0) {
            type->kind = SCALARS[i].kind;
            return 0;
        }
    PyObject *address = PyDict_GetItemWithError(codec->well_known, name);
    if (address == NULL) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_ValueError, "no type is called %R", name);
        return -1;
    }
    type->known = PyLong_AsVoidPtr(address);
    type->kind = is_raw(name) ? KIND_RAW : KIND_TEXT;
    return 0;
}

static Type *type_of(Codec *codec, PyObject *spelled);

static int composed_type(Codec *codec, PyObject *spelled, Type *type) {
    PyObject *word = PyTuple_GET_ITEM(spelled, 0);
    Type *inner = type_of(codec, PyTuple_GET_ITEM(spelled, 1));
    if (inner == NULL)
        return -1;
    if (PyUnicode_CompareWithASCIIString(word, "list") == 0)
        type->kind = KIND_LIST;
    else if (PyUnicode_CompareWithASCIIString(word, "map") == 0)
        type->kind = KIND_MAP;
    else {
        *type = *inner;
        type->nullable = 1;
        type->is_message = PyUnicode_CompareWithASCIIString(word, "message") == 0;
        if (!type->is_message && PyUnicode_CompareWithASCIIString(word, "nullable") != 0) {
            PyErr_Format(PyExc_ValueError, "no type is made with %R", word);
            return -1;
        }
        return 0;
    }
    type->item = inner;
    return 0;
}

static Type *type_of(Codec *codec, PyObject *spelled) {
    Type *type = codec_alloc(codec, sizeof(Type));
    if (type == NULL)
        return NULL;
    if (PyUnicode_Check(spelled))
        return named_type(codec, spelled, type) < 0 ? NULL : type;
    if (PyTuple_Check(spelled) && PyTuple_GET_SIZE(spelled) == 2 && PyUnicode_Check(PyTuple_GET_ITEM(spelled, 0)))
        return composed_type(codec, spelled, type) < 0 ? NULL : type;
    if (!PyType_Check(spelled)) {
        PyErr_Format(PyExc_TypeError, "%R is no type", spelled);
        return NULL;
    }
    type->kind = KIND_STRUCT;
    type->target = struct_for(codec, spelled);
    return type->target == NULL ? NULL : type;
}

/* --- zero values ------------------------------------------------------------------------------------------------- */

static int set_zeros(Codec *codec, Struct *layout) {
    layout->zeros = codec_alloc(codec, layout->count * sizeof(Zero));
    for (Py_ssize_t i = 0; layout->zeros != NULL && i < layout->count; i++) {
        Member *member = &layout->members[i];
        layout->zeros[i] = (Zero){member->offset, member->zero, member->type};
    }
    return layout->zeros == NULL ? -1 : 0;
}

static int set_zero(Codec *codec, Member *member) {
    Kind kind = member->type->kind;
    if (member->can_be_none)
        member->zero = Py_None;
    else if (kind != KIND_STRUCT && kind != KIND_LIST && kind != KIND_MAP) {
        member->zero = zero_of(member->type);
        if (member->zero == NULL || codec_keep(codec, member->zero) < 0)
            return -1;
        Py_DECREF(member->zero); /* the codec keeps it */
    }
    return 0;
}

/* --- members ----------------------------------------------------------------------------------------------------- */

uint32_t hash_name(const char *name, Py_ssize_t size) {
    uint32_t hash = 2166136261u ^ (uint32_t)size;
    for (Py_ssize_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash ^ (hash >> 15);
}

Member *find_member(Struct *layout, const char *name, Py_ssize_t size) {
    for (uint32_t at = hash_name(name, size) & layout->index_mask;; at = (at + 1) & layout->index_mask) {
        uint16_t position = layout->index[at];
        if (position == 0)
            return NULL;
        Member *member = &layout->members[position - 1];
        if (member->name_size == size && memcmp(member->name, name, size) == 0)
            return member;
    }
}

static int build_index(Codec *codec, Struct *layout) {
    uint32_t room = 4;
    while (room < 2 * (uint32_t)layout->count + 2)
        room *= 2;
    layout->index_mask = room - 1;
    layout->index = codec_alloc(codec, room * sizeof(uint16_t));
    if (layout->index == NULL)
        return -1;
    for (Py_ssize_t i = 0; i < layout->count; i++) {
        Member *member = &layout->members[i];
        uint32_t at = hash_name(member->name, member->name_size) & layout->index_mask;
        while (layout->index[at] != 0)
            at = (at + 1) & layout->index_mask;
        layout->index[at] = (uint16_t)(i + 1);
    }
    return 0;
}

/* The offset of an attribute; -1 if it has no slot. */
static Py_ssize_t offset_of(PyTypeObject *cls, PyObject *attribute) {
    PyObject *descriptor = PyObject_GetAttr((PyObject *)cls, attribute);
    if (descriptor == NULL)
        return -1;
    Py_ssize_t offset = -1;
    if (Py_IS_TYPE(descriptor, &PyMemberDescr_Type))
        offset = ((PyMemberDescrObject *)descriptor)->d_member->offset;
    else
        PyErr_Format(PyExc_TypeError, "%R of %R is no slot", attribute, cls);
    Py_DECREF(descriptor);
    return offset;
}

static int write_name(Codec *codec, Member *member) {
    for (Py_ssize_t i = 0; i < member->name_size; i++) {
        unsigned char c = (unsigned char)member->name[i];
        if (c < 0x20 || c >= 0x7f || strchr("\"\\<>&", c) != NULL) {
            PyErr_Format(PyExc_ValueError, "the name %R needs escapes", member->name_object);
            return -1;
        }
    }
    member->written = codec_alloc(codec, member->name_size + 3);
    if (member->written == NULL)
        return -1;
    member->written[0] = '"';
    memcpy(member->written + 1, member->name, member->name_size);
    memcpy(member->written + 1 + member->name_size, "\":", 2);
    member->written_size = member->name_size + 3;
    return 0;
}

/* The handling of a presence of the spec language for a member of this type; see the table there. */
static int set_presence(Member *member, PyObject *presence) {
    Type *type = member->type;
    int is_plain = PyUnicode_CompareWithASCIIString(presence, "plain") == 0;
    int is_nullable = PyUnicode_CompareWithASCIIString(presence, "nullable") == 0;
    int is_optional = PyUnicode_CompareWithASCIIString(presence, "optional") == 0;
    int omits_empty = PyUnicode_CompareWithASCIIString(presence, "omitEmpty") == 0;
    int zero_is_none = type->known != NULL && type->known->zero == Py_None;
    int can_be_empty = type->kind == KIND_BYTES || type->kind == KIND_LIST || type->kind == KIND_MAP;
    if (!is_plain && !is_nullable && !is_optional && !omits_empty) {
        PyErr_Format(PyExc_ValueError, "%R is no presence", presence);
        return -1;
    }
    member->omits_none_on_wire = is_nullable || is_optional || (omits_empty && can_be_empty);
    member->can_be_none = member->omits_none_on_wire || zero_is_none;
    if (is_plain || is_nullable)
        member->omission = OMIT_NEVER;
    else
        member->omission = omits_empty && !zero_is_none ? OMIT_ZERO : OMIT_NONE;
    return 0;
}

static int set_member(Codec *codec, Struct *layout, Member *member, PyObject *spelled, PyObject **numbers) {
    PyObject *attribute, *type, *presence;
    if (!PyArg_ParseTuple(spelled, "UUOUO!", &member->name_object, &attribute, &type, &presence, &PyTuple_Type, numbers))
        return -1;
    if (codec_keep(codec, member->name_object) < 0)
        return -1;
    member->name = PyUnicode_AsUTF8AndSize(member->name_object, &member->name_size);
    member->type = type_of(codec, type);
    if (member->name == NULL || member->type == NULL)
        return -1;
    if (set_presence(member, presence) < 0 || write_name(codec, member) < 0)
        return -1;
    member->offset = offset_of(layout->cls, attribute);
    return member->offset < 0 ? -1 : set_zero(codec, member);
}

/* --- from Python ------------------------------------------------------------------------------------------------- */

/* Methods that add can be repeated after an exception at any point: what was added is left as it is, and an addition is
   visible only when it is complete. */

/* The members that protobuf has in the envelope instead of the message. */
static void set_type_meta(Struct *layout, Member *member) {
    if (strcmp(member->name, "apiVersion") == 0)
        layout->version_member = member;
    else if (strcmp(member->name, "kind") == 0)
        layout->kind_member = member;
}

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

/* `numbers` are those of the inline messages around a field, then its own; without `member` it is an inline message.
   -1 with an exception. */
static int add_to_wire(Codec *codec, WireTable *table, PyObject *numbers, Member *member) {
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

static int fill(Codec *codec, Struct *layout, PyObject *members, PyObject *inlines) {
    layout->count = PyTuple_GET_SIZE(members);
    layout->members = codec_alloc(codec, layout->count * sizeof(Member));
    if (layout->members == NULL)
        return -1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(inlines); i++)
        if (add_to_wire(codec, &layout->wire, PyTuple_GET_ITEM(inlines, i), NULL) < 0)
            return -1;
    for (Py_ssize_t i = 0; i < layout->count; i++) {
        PyObject *numbers;
        if (set_member(codec, layout, &layout->members[i], PyTuple_GET_ITEM(members, i), &numbers) < 0)
            return -1;
        if (add_to_wire(codec, &layout->wire, numbers, &layout->members[i]) < 0)
            return -1;
        if (PyTuple_GET_SIZE(numbers) == 0)
            set_type_meta(layout, &layout->members[i]);
    }
    if (layout->version_member == NULL || layout->kind_member == NULL)
        layout->version_member = layout->kind_member = NULL;
    return set_zeros(codec, layout) < 0 ? -1 : build_index(codec, layout);
}

PyObject *codec_add(Codec *codec, PyObject *args) {
    PyObject *cls, *members, *inlines;
    if (!PyArg_ParseTuple(args, "O!O!O!:add", &PyType_Type, &cls, &PyTuple_Type, &members, &PyTuple_Type, &inlines))
        return NULL;
    Struct *layout = struct_for(codec, cls);
    if (layout == NULL)
        return NULL;
    if (layout->is_filled)
        Py_RETURN_TRUE;
    Struct made = {.cls = layout->cls};
    if (PyTuple_GET_SIZE(members) >= UINT16_MAX || fill(codec, &made, members, inlines) < 0)
        return left_to_python(Py_False);
    if (!layout->is_filled) {
        made.pool = adopt(layout->cls);
        made.is_filled = 1;
        made.copy = layout->copy; /* linked to the layout while it was empty, when it could not run */
        made.conversions = layout->conversions;
        *layout = made;
        codec->additions++;
    }
    Py_RETURN_TRUE;
}

PyObject *codec_add_well_known(Codec *codec, PyObject *args) {
    PyObject *name, *time, *attribute;
    WellKnown *known = codec_alloc(codec, sizeof(WellKnown));
    if (known == NULL ||
        !PyArg_ParseTuple(args, "UOOOOOpO:add_well_known", &name, &known->from_json, &known->to_json,
                          &known->from_wire, &known->to_wire, &known->zero, &known->null_is_error, &time))
        return NULL;
    if (codec_keep(codec, args) < 0)
        return NULL;
    if (PyTuple_Check(time)) {
        PyTypeObject *cls;
        if (!PyArg_ParseTuple(time, "O!U", &PyType_Type, &cls, &attribute))
            return NULL;
        Py_ssize_t offset = offset_of(cls, attribute);
        if (offset < 0)
            return NULL;
        if (PyUnicode_CompareWithASCIIString(name, "Time") == 0) {
            known->time_class = cls;
            known->time_pool = adopt(cls);
            known->seconds_offset = offset;
        } else {
            known->text_class = cls;
            known->text_offset = offset;
            known->cache = PyDict_New();
            if (known->cache == NULL || codec_keep(codec, known->cache) < 0)
                return NULL;
            Py_DECREF(known->cache); /* the codec keeps it */
        }
    }
    PyObject *address = PyLong_FromVoidPtr(known);
    if (address == NULL || PyDict_SetItem(codec->well_known, name, address) < 0) {
        Py_XDECREF(address);
        return NULL;
    }
    Py_DECREF(address);
    Py_RETURN_NONE;
}
