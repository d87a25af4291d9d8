/* Deep copies: they share nothing that can change. */
#include "layout.h"

static PyObject *copy_value(Type *type, PyObject *value);

static PyObject *copy_list(Type *type, PyObject *value) {
    if (!PyList_CheckExact(value))
        return NULL;
    Py_ssize_t size = PyList_GET_SIZE(value);
    PyObject *copy = PyList_New(size);
    if (copy == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *item = copy_value(type->item, PyList_GET_ITEM(value, i));
        if (item == NULL) {
            Py_DECREF(copy);
            return NULL;
        }
        PyList_SET_ITEM(copy, i, item);
    }
    return copy;
}

static PyObject *copy_map(Type *type, PyObject *value) {
    if (!PyDict_CheckExact(value))
        return NULL;
    if (type->item->kind < KIND_STRUCT)
        return PyDict_Copy(value);
    PyObject *copy = PyDict_New(), *key, *item;
    Py_ssize_t at = 0;
    while (copy != NULL && PyDict_Next(value, &at, &key, &item)) {
        PyObject *copied = copy_value(type->item, item);
        if (copied == NULL || PyDict_SetItem(copy, key, copied) < 0)
            Py_CLEAR(copy);
        Py_XDECREF(copied);
    }
    return copy;
}

static PyObject *copy_value(Type *type, PyObject *value) {
    if (type->kind < KIND_STRUCT || value == Py_None)
        return Py_NewRef(value);
    switch (type->kind) {
    case KIND_LIST:
        return copy_list(type, value);
    case KIND_MAP:
        return copy_map(type, value);
    default:
        return copy_object(type->target, value);
    }
}

PyObject *copy_object(Struct *layout, PyObject *object) {
    if (!Py_IS_TYPE(object, layout->cls) || Py_EnterRecursiveCall(" in a copy"))
        return NULL;
    PyObject *copy = new_object(layout);
    for (Py_ssize_t i = 0; copy != NULL && i < layout->count; i++) {
        Member *member = &layout->members[i];
        PyObject *value = *slot_of(object, member);
        PyObject *copied = value == NULL ? NULL : copy_value(member->type, value);
        if (copied == NULL)
            Py_CLEAR(copy);
        else
            *slot_of(copy, member) = copied;
    }
    Py_LeaveRecursiveCall();
    return copy;
}
