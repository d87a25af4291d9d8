/* apigen_native: the type Codec. Every method that reads or writes returns None where it leaves the work to Python. */
#include "layout.h"

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
    type->tp_free(codec);
    Py_DECREF(type);
}

/* None where nothing is wrong but the work is left to Python: wrong input gets its error there. */
static PyObject *or_none(PyObject *result) {
    if (result != NULL)
        return result;
    if (PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_MemoryError) || !PyErr_ExceptionMatches(PyExc_Exception))
            return NULL;
        PyErr_Clear();
    }
    Py_RETURN_NONE;
}

static Struct *struct_named(Codec *codec, PyObject *cls) {
    return PyType_Check(cls) ? codec_struct(codec, (PyTypeObject *)cls) : NULL;
}

static PyObject *codec_read(Codec *codec, PyObject *const *args, Py_ssize_t count,
                            PyObject *(*read)(Struct *, const char *, Py_ssize_t)) {
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "expected a class and bytes");
        return NULL;
    }
    Struct *layout = struct_named(codec, args[0]);
    if (layout == NULL || !PyBytes_CheckExact(args[1]))
        return or_none(NULL);
    return or_none(read(layout, PyBytes_AS_STRING(args[1]), PyBytes_GET_SIZE(args[1])));
}

static PyObject *codec_read_json(Codec *codec, PyObject *const *args, Py_ssize_t count) {
    return codec_read(codec, args, count, read_json);
}

static PyObject *codec_read_wire(Codec *codec, PyObject *const *args, Py_ssize_t count) {
    return codec_read(codec, args, count, read_wire);
}

static PyObject *codec_write(Codec *codec, PyObject *object, PyObject *(*write)(Struct *, PyObject *)) {
    Struct *layout = codec_struct(codec, Py_TYPE(object));
    return or_none(layout == NULL ? NULL : write(layout, object));
}

static PyObject *codec_write_json(Codec *codec, PyObject *object) { return codec_write(codec, object, write_json); }

static PyObject *codec_write_wire(Codec *codec, PyObject *object) { return codec_write(codec, object, write_wire); }

static PyObject *codec_write_document(Codec *codec, PyObject *const *args, Py_ssize_t count) {
    if (count != 3) {
        PyErr_SetString(PyExc_TypeError, "expected an object, its apiVersion and its kind");
        return NULL;
    }
    Struct *layout = codec_struct(codec, Py_TYPE(args[0]));
    return or_none(layout == NULL ? NULL : write_document(layout, args[0], args[1], args[2]));
}

static PyObject *codec_open_envelope(PyObject *Py_UNUSED(self), PyObject *data) {
    if (!PyBytes_CheckExact(data))
        Py_RETURN_NONE;
    return or_none(open_envelope(PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data)));
}

static PyObject *codec_copy(Codec *codec, PyObject *object) { return codec_write(codec, object, copy_object); }

static PyObject *codec_type_meta(PyObject *Py_UNUSED(self), PyObject *data) {
    if (!PyBytes_CheckExact(data))
        Py_RETURN_NONE;
    return or_none(read_type_meta(PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data)));
}

static PyMethodDef CODEC_METHODS[] = {
    {"add", (PyCFunction)codec_add, METH_VARARGS, PyDoc_STR("add(cls, members, inlines): the layout of a class.")},
    {"add_well_known", (PyCFunction)codec_add_well_known, METH_VARARGS,
     PyDoc_STR("add_well_known(name, read_json, write_json, read_wire, write_wire, zero, null_is_error, (class, attribute) or None)")},
    {"type_meta", codec_type_meta, METH_O | METH_STATIC, PyDoc_STR("(apiVersion, kind) of JSON, or None.")},
    {"read_json", (PyCFunction)(void (*)(void))codec_read_json, METH_FASTCALL,
     PyDoc_STR("read_json(cls, data): the object, or None.")},
    {"write_json", (PyCFunction)codec_write_json, METH_O, PyDoc_STR("write_json(obj): bytes, or None.")},
    {"read_wire", (PyCFunction)(void (*)(void))codec_read_wire, METH_FASTCALL,
     PyDoc_STR("read_wire(cls, data): the object, or None.")},
    {"write_wire", (PyCFunction)codec_write_wire, METH_O, PyDoc_STR("write_wire(obj): bytes, or None.")},
    {"open_envelope", codec_open_envelope, METH_O | METH_STATIC,
     PyDoc_STR("(apiVersion, kind, message) in Kubernetes' envelope, or None.")},
    {"write_document", (PyCFunction)(void (*)(void))codec_write_document, METH_FASTCALL,
     PyDoc_STR("write_document(obj, apiVersion, kind): its message in Kubernetes' envelope, or None.")},
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
    return failed < 0 ? -1 : PyModule_AddIntConstant(module, "FORMAT", 1);
}

static PyModuleDef_Slot MODULE_SLOTS[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT,
    .m_name = "apigen_native",
    .m_doc = PyDoc_STR("Reads, writes and copies objects of generated classes, by tables. Optional: generated code works without it."),
    .m_slots = MODULE_SLOTS,
};

PyMODINIT_FUNC PyInit_apigen_native(void) { return PyModuleDef_Init(&MODULE); }
