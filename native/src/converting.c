/* Runs conversions and copies: mutable values are only shared if the caller allows it. */
#include "convert.h"

static PyObject *made_list(How *how, PyObject *value, int share, int depth) {
    if (!PyList_CheckExact(value))
        return NULL;
    Py_ssize_t size = PyList_GET_SIZE(value);
    if (how->item->kind == HOW_SAME)
        return PyList_GetSlice(value, 0, size);
    PyObject *list = PyList_New(size);
    if (list == NULL)
        return NULL;
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject *made = i < PyList_GET_SIZE(value) ? made_value(how->item, PyList_GET_ITEM(value, i), share, depth) : NULL;
        if (made == NULL) {
            Py_DECREF(list);
            return NULL;
        }
        PyList_SET_ITEM(list, i, made);
    }
    return list;
}

static PyObject *made_map(How *how, PyObject *value, int share, int depth) {
    if (!PyDict_CheckExact(value))
        return NULL;
    if (how->item->kind == HOW_SAME)
        return PyDict_Copy(value);
    PyObject *map = PyDict_New(), *key, *item;
    Py_ssize_t at = 0, size = PyDict_GET_SIZE(value);
    while (map != NULL && PyDict_Next(value, &at, &key, &item)) {
        Py_INCREF(key);
        PyObject *made = made_value(how->item, item, share, depth);
        if (made == NULL || PyDict_SetItem(map, key, made) < 0 || PyDict_GET_SIZE(value) != size)
            Py_CLEAR(map);
        Py_DECREF(key);
        Py_XDECREF(made);
    }
    return map;
}

/* Check that a number fits its narrower target type. */
static PyObject *checked(Kind kind, PyObject *value) {
    int overflow;
    if (kind == KIND_FLOAT32) {
        double number = PyFloat_CheckExact(value) ? PyFloat_AS_DOUBLE(value) : 0.0;
        return PyFloat_CheckExact(value) && (double)(float)number == number ? Py_NewRef(value) : NULL;
    }
    if (!PyLong_CheckExact(value))
        return NULL;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow || (kind == KIND_INT32 && number != (int32_t)number) || (kind == KIND_UINT64 && number < 0) ||
        (kind == KIND_UINT32 && number != (uint32_t)number))
        return NULL;
    return Py_NewRef(value);
}

PyObject *made_value(How *how, PyObject *value, int share, int depth) {
    if (how->kind == HOW_SAME || (share && how->is_same_shape) || (how->nullable && value == Py_None))
        return Py_NewRef(value);
    PyObject *made;
    Py_INCREF(value); /* a call of Python could free it */
    switch (how->kind) {
    case HOW_LIST:
        made = made_list(how, value, share, depth);
        break;
    case HOW_MAP:
        made = made_map(how, value, share, depth);
        break;
    case HOW_STRUCT:
        made = run_conversion(how->conversion, value, share, depth + 1);
        break;
    default:
        made = checked(how->number, value);
    }
    Py_DECREF(value);
    return made;
}

/* --- structs ----------------------------------------------------------------------------------------------------- */

static PyObject *fixed_value(const Fixed *fixed) {
    return fixed->value != NULL ? Py_NewRef(fixed->value) : zero_of(fixed->type);
}

/* Whether a value represents None on the other side; -1 if only Python can decide that. */
static int is_absent(const Absence *absence, PyObject *value) {
    if (absence->value != NULL)
        return PyObject_RichCompareBool(value, absence->value, Py_EQ);
    if (PyList_CheckExact(value))
        return PyList_GET_SIZE(value) == 0;
    return PyDict_CheckExact(value) ? PyDict_GET_SIZE(value) == 0 : -1;
}

static PyObject *absence_value(const Absence *absence, PyObject *value, int share, int depth) {
    if (absence->is_filled) {
        if (value != Py_None)
            return made_value(absence->how, value, share, depth);
        return absence->value != NULL ? Py_NewRef(absence->value) : zero_of(absence->to->type);
    }
    int absent = is_absent(absence, value);
    if (absent < 0)
        return NULL;
    return absent ? Py_NewRef(Py_None) : made_value(absence->how, value, share, depth);
}

static int take_members(Conversion *conversion, char *from, char *to) {
    const Taken *taken = conversion->taken, *end = taken + conversion->taken_count;
    Nones nones = 0;
    for (; taken < end; taken++) {
        PyObject *value = *(PyObject **)(from + taken->from);
        if (value == NULL)
            break;
        if (value == Py_None)
            nones++;
        else
            Py_INCREF(value);
        *(PyObject **)(to + taken->to) = value;
    }
    count_nones(nones);
    return taken == end;
}

static int make_members(Conversion *conversion, PyObject *source, PyObject *target, int share, int depth) {
    char *from = (char *)source, *to = (char *)target;
    if (!take_members(conversion, from, to))
        return 0;
    for (Py_ssize_t i = 0; i < conversion->fixed_count; i++)
        if ((*(PyObject **)(to + conversion->fixed[i].to) = fixed_value(&conversion->fixed[i])) == NULL)
            return 0;
    for (Py_ssize_t i = 0; i < conversion->made_count; i++) {
        Made *made = &conversion->made[i];
        PyObject *value = *(PyObject **)(from + made->from);
        if (value == NULL || (value == Py_None && !made->can_be_none))
            return 0;
        PyObject **slot = (PyObject **)(to + made->to);
        *slot = value == Py_None ? Py_NewRef(value) : made_value(made->how, value, share && !made->is_owned, depth);
        if (*slot == NULL)
            return 0;
    }
    for (Py_ssize_t i = 0; i < conversion->absence_count; i++) {
        Absence *absence = &conversion->absences[i];
        PyObject *value = *slot_of(source, absence->from);
        if (value == NULL || (*slot_of(target, absence->to) = absence_value(absence, value, share, depth)) == NULL)
            return 0;
    }
    return 1;
}

/* A nested object has no `apiVersion` and `kind`; conversions of kinds create new ones. */
static void say_nothing(Struct *layout, PyObject *object) {
    if (layout->version_member == NULL || !Py_IS_TYPE(object, layout->cls))
        return;
    PyObject **version = slot_of(object, layout->version_member), **kind = slot_of(object, layout->kind_member);
    Py_XSETREF(*version, Py_NewRef(layout->version_member->zero));
    Py_XSETREF(*kind, Py_NewRef(layout->kind_member->zero));
}

static PyObject *by_python(Conversion *conversion, PyObject *object, int share, int depth) {
    PyObject *shared = PyObject_CallOneArg(conversion->function, object);
    if (shared != NULL && depth > 0)
        say_nothing(conversion->target, shared);
    if (shared == NULL || share)
        return shared;
    Conversion *copy = conversion->target->copy;
    PyObject *made = copy == NULL ? NULL : run_conversion(copy, shared, 0, depth);
    Py_DECREF(shared);
    return made;
}

PyObject *run_conversion(Conversion *conversion, PyObject *object, int share, int depth) {
    if (conversion->state != LINKED || !Py_IS_TYPE(object, conversion->source->cls) || depth > MAX_CONVERSION_DEPTH)
        return NULL;
    if (conversion->function != NULL)
        return by_python(conversion, object, share, depth);
    PyObject *target = new_object(conversion->target);
    if (target != NULL && (!make_members(conversion, object, target, share, depth) ||
                           (conversion->after_count && !run_after(conversion, object, target, share, depth))))
        Py_CLEAR(target);
    return target;
}
