/* apigen_native: the type Codec. Every method that reads or writes returns None where it leaves the work to Python. */
#include "convert.h"

static PyObject *codec_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    if (!PyArg_ParseTuple(args, ":Codec") || (kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0))
        return NULL;
    Codec *codec = (Codec *)type->tp_alloc(type, 0);
    if (codec == NULL)
        return NULL;
    codec->structs = PyDict_New();
    codec->well_known = PyDict_New();
    codec->objects = PyList_New(0);
    if (codec->structs == NULL || codec->well_known == NULL || codec->objects == NULL)
        Py_CLEAR(codec);
    return (PyObject *)codec;
}

static int codec_traverse(Codec *codec, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(codec));
    Py_VISIT(codec->structs);
    Py_VISIT(codec->well_known);
    Py_VISIT(codec->objects);
    return 0;
}

static void codec_dealloc(Codec *codec) {
    PyTypeObject *type = Py_TYPE(codec);
    PyObject_GC_UnTrack(codec);
    Py_CLEAR(codec->structs);
    Py_CLEAR(codec->well_known);
    Py_CLEAR(codec->objects);
    for (Py_ssize_t i = 0; i < codec->block_count; i++)
        PyMem_Free(codec->blocks[i]);
    PyMem_Free(codec->blocks);
    PyMem_Free(codec->kinds);
    type->tp_free(codec);
    Py_DECREF(type);
}

/* None without an error, so that Python does the work, and raises the error of wrong input. */
static PyObject *or_none(PyObject *result) { return result != NULL ? result : left_to_python(Py_None); }

typedef enum { MEDIA_JSON, MEDIA_PROTOBUF, MEDIA_OTHER } Media;

static Media media_of(PyObject *name) {
    static const char JSON[] = "application/json", PROTOBUF[] = "application/vnd.kubernetes.protobuf";
    if (!PyUnicode_CheckExact(name) || !PyUnicode_IS_COMPACT_ASCII(name))
        return MEDIA_OTHER;
    size_t size = (size_t)PyUnicode_GET_LENGTH(name);
    const void *text = PyUnicode_1BYTE_DATA(name);
    if (size == sizeof(JSON) - 1 && memcmp(text, JSON, size) == 0)
        return MEDIA_JSON;
    return size == sizeof(PROTOBUF) - 1 && memcmp(text, PROTOBUF, size) == 0 ? MEDIA_PROTOBUF : MEDIA_OTHER;
}

static PyObject *wrong_arguments(const char *expected) {
    PyErr_Format(PyExc_TypeError, "expected %s", expected);
    return NULL;
}

/* The UTF-8 of a document, which is bytes, or text where it is JSON; NULL for anything else, perhaps with an error. */
static const char *utf8_of(PyObject *document, Media media, Py_ssize_t *size) {
    if (media == MEDIA_JSON && PyUnicode_CheckExact(document))
        return PyUnicode_AsUTF8AndSize(document, size);
    if (!PyBytes_CheckExact(document) || media == MEDIA_OTHER)
        return NULL;
    *size = PyBytes_GET_SIZE(document);
    return PyBytes_AS_STRING(document);
}

static PyObject *codec_decode(Codec *codec, PyObject *const *args, Py_ssize_t count) {
    if (count != 3)
        return wrong_arguments("bytes or text, a media type, and a class or None");
    Media media = media_of(args[1]);
    Struct *layout = PyType_Check(args[2]) ? codec_struct(codec, (PyTypeObject *)args[2]) : NULL;
    Py_ssize_t size = 0;
    const char *data = utf8_of(args[0], media, &size);
    if (data == NULL || (layout == NULL && args[2] != Py_None))
        return or_none(NULL);
    if (media == MEDIA_PROTOBUF)
        return or_none(read_envelope(codec, layout, data, size));
    Said said;
    if (layout == NULL && said_in_json(data, size, &said))
        layout = kind_named(codec, &said);
    return or_none(layout == NULL ? NULL : read_json(layout, data, size));
}

static PyObject *codec_said(PyObject *Py_UNUSED(self), PyObject *const *args, Py_ssize_t count) {
    Said said;
    const char *raw;
    Py_ssize_t raw_size;
    if (count != 2)
        return wrong_arguments("bytes or text, and a media type");
    Media media = media_of(args[1]);
    Py_ssize_t size = 0;
    const char *data = utf8_of(args[0], media, &size);
    if (data == NULL)
        return or_none(NULL);
    if (media == MEDIA_JSON ? !said_in_json(data, size, &said) : !open_envelope(data, size, &said, &raw, &raw_size))
        Py_RETURN_NONE;
    return or_none(Py_BuildValue("(s#s#)", said.version, said.version_size, said.kind, said.kind_size));
}

static int is_same_text(PyObject *one, PyObject *other) {
    return one == other || (one != NULL && PyUnicode_CheckExact(one) && PyUnicode_Compare(one, other) == 0);
}

/* Whether an object has the `apiVersion` and `kind` of its class; if not, Python writes those of the class. */
static int has_own_kind(Struct *layout, PyObject *object) {
    return layout->version_member == NULL || (is_same_text(*slot_of(object, layout->version_member), layout->version) &&
                                              is_same_text(*slot_of(object, layout->kind_member), layout->kind));
}

static PyObject *codec_encode(Codec *codec, PyObject *const *args, Py_ssize_t count) {
    if (count != 2)
        return wrong_arguments("an object and a media type");
    Struct *layout = codec_struct(codec, Py_TYPE(args[0]));
    Media media = layout == NULL || layout->version == NULL ? MEDIA_OTHER : media_of(args[1]);
    if (media == MEDIA_OTHER || (media == MEDIA_PROTOBUF && !layout->has_protobuf) || !has_own_kind(layout, args[0]))
        return or_none(NULL);
    return or_none(media == MEDIA_JSON ? write_json(layout, args[0]) : write_envelope(layout, args[0]));
}

static PyObject *codec_copy(Codec *codec, PyObject *object) {
    Struct *layout = codec_struct(codec, Py_TYPE(object));
    Conversion *copy = layout == NULL ? NULL : linked_copy(codec, layout);
    return or_none(copy == NULL ? NULL : run_conversion(copy, object, 0, 0));
}

/* The `apiVersion` and `kind` of an object. */
static void stamp(PyObject *object, Struct *layout) {
    if (layout->version_member == NULL || layout->version == NULL || !Py_IS_TYPE(object, layout->cls))
        return;
    PyObject **version = slot_of(object, layout->version_member), **kind = slot_of(object, layout->kind_member);
    Py_XSETREF(*version, Py_NewRef(layout->version));
    Py_XSETREF(*kind, Py_NewRef(layout->kind));
}

static PyObject *follow(Route *route, PyObject *object, int share) {
    PyObject *made = run_conversion(route->first, object, share, 0);
    Conversion *last = route->second ? route->second : route->first;
    if (made != NULL && route->second != NULL)
        Py_SETREF(made, run_conversion(route->second, made, 1, 0)); /* the intermediate object has no other owner */
    if (made != NULL)
        stamp(made, last->target);
    return made;
}

static PyObject *codec_convert(Codec *codec, PyObject *const *args, Py_ssize_t count) {
    if (count != 3)
        return wrong_arguments("an object, where it goes to, and whether it may share");
    if (!PyUnicode_Check(args[1]))
        Py_RETURN_NONE;
    Struct *layout = codec_struct(codec, Py_TYPE(args[0]));
    Route *route = layout == NULL ? NULL : layout->routes;
    while (route != NULL && route->to != args[1] && PyUnicode_Compare(route->to, args[1]) != 0)
        route = route->next;
    return or_none(route == NULL ? NULL : follow(route, args[0], args[2] == Py_True));
}

static PyMethodDef CODEC_METHODS[] = {
    {"add", (PyCFunction)codec_add, METH_VARARGS, PyDoc_STR("add(cls, members, inlines): add the layout of a class; False: its objects are left to Python.")},
    {"add_well_known", (PyCFunction)codec_add_well_known, METH_VARARGS,
     PyDoc_STR("add_well_known(name, read_json, write_json, read_wire, write_wire, zero, null_is_error, (class, attribute) or None)")},
    {"add_kind", (PyCFunction)codec_add_kind, METH_VARARGS,
     PyDoc_STR("add_kind(cls, apiVersion, kind, has_protobuf): what documents of a class say, and whether they may be\n"
               "protobuf; False: the class has no layout.")},
    {"add_conversion", (PyCFunction)codec_add_conversion, METH_VARARGS,
     PyDoc_STR("add_conversion(source, target, steps, function or None): how objects of a class become those of another; "
               "False: a class has no layout.")},
    {"add_route", (PyCFunction)codec_add_route, METH_VARARGS,
     PyDoc_STR("add_route(cls, name, class, class or None): by which conversions `convert` gets there; False: not at all.")},
    {"said", (PyCFunction)(void (*)(void))codec_said, METH_FASTCALL | METH_STATIC,
     PyDoc_STR("said(data, media_type): (apiVersion, kind), or None.")},
    {"decode", (PyCFunction)(void (*)(void))codec_decode, METH_FASTCALL,
     PyDoc_STR("decode(data, media_type, cls or None): the object, or None.")},
    {"encode", (PyCFunction)(void (*)(void))codec_encode, METH_FASTCALL,
     PyDoc_STR("encode(obj, media_type): bytes, or None.")},
    {"convert", (PyCFunction)(void (*)(void))codec_convert, METH_FASTCALL,
     PyDoc_STR("convert(obj, name, share): the object as another class, or None.")},
    {"copy", (PyCFunction)codec_copy, METH_O, PyDoc_STR("copy(obj): a deep copy, or None.")},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot CODEC_SLOTS[] = {
    {Py_tp_doc, (void *)PyDoc_STR("The layouts of one generated package, and what is read and written by them.")},
    {Py_tp_new, codec_new},
    {Py_tp_dealloc, codec_dealloc},
    {Py_tp_traverse, codec_traverse},
    {Py_tp_methods, CODEC_METHODS},
    {0, NULL},
};

static PyType_Spec CODEC_SPEC = {
    .name = "apigen_native.Codec",
    .basicsize = sizeof(Codec),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .slots = CODEC_SLOTS,
};

static int module_exec(PyObject *module) {
    PyObject *codec = PyType_FromModuleAndSpec(module, &CODEC_SPEC, NULL);
    if (codec == NULL)
        return -1;
    int failed = PyModule_AddObjectRef(module, "Codec", codec);
    Py_DECREF(codec);
    return failed < 0 ? -1 : PyModule_AddIntConstant(module, "FORMAT", 3);
}

static PyModuleDef_Slot MODULE_SLOTS[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT,
    .m_name = "apigen_native",
    .m_doc = PyDoc_STR("Reads, writes, converts and copies objects of generated classes, by tables. Optional: generated code works without it."),
    .m_slots = MODULE_SLOTS,
};

PyMODINIT_FUNC PyInit_apigen_native(void) { return PyModuleDef_Init(&MODULE); }
