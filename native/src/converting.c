/* Runs conversions and copies: mutable values are only shared if the caller allows it. */
#include "convert.h"

static PyObject *made_value(How *how, PyObject *value, int share, int depth);

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

static PyObject *made_value(How *how, PyObject *value, int share, int depth) {
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

/* --- the statements that run after all members have their values: moves to nested structs, and checks ------------- */

/* 1 if a value is not zero, 0 if it is, -1 if only Python can decide. */
static int is_not_zero(const Member *member, PyObject *value) {
    if (member->can_be_none)
        return value != Py_None;
    if (value == Py_None)
        return -1;
    switch (member->type->kind) {
    case KIND_STRUCT:
        return -1;
    case KIND_INT_OR_STRING: /* 0 is zero, "" is not */
        return PyUnicode_Check(value) ? 1 : PyObject_IsTrue(value);
    case KIND_TEXT:
    case KIND_RAW:
        return PyObject_RichCompareBool(value, member->type->known->zero, Py_NE);
    default:
        return PyObject_IsTrue(value);
    }
}

/* The slot at the end of a path: NULL if a value on the path is None (`*failed` is 0) or unsupported (1). */
static PyObject **slot_at(const Path *path, Py_ssize_t count, PyObject *root, int *failed) {
    PyObject *object = root;
    *failed = 0;
    for (Py_ssize_t i = 0;; i++) {
        if (object == Py_None)
            return NULL;
        if (!Py_IS_TYPE(object, path->steps[i].holder->cls)) {
            *failed = 1;
            return NULL;
        }
        PyObject **slot = slot_of(object, path->steps[i].member);
        if (*slot == NULL) {
            *failed = 1;
            return NULL;
        }
        if (i == count - 1)
            return slot;
        object = *slot;
    }
}

static int build_parents(const Path *path, PyObject *root) {
    int failed;
    for (Py_ssize_t count = 1; count < path->count; count++) {
        PyObject **slot = slot_at(path, count, root, &failed);
        if (slot == NULL)
            return 0;
        if (*slot == Py_None) {
            PyObject *parent = zero_of(path->steps[count - 1].member->type);
            if (parent == NULL)
                return 0;
            Py_SETREF(*slot, parent);
        }
    }
    return 1;
}

static int move_one(const Path *to, PyObject *target, How *how, PyObject *value, int share, int depth) {
    int failed;
    PyObject *made = value == Py_None ? Py_NewRef(value) : made_value(how, value, share, depth);
    PyObject **slot = made == NULL || !build_parents(to, target) ? NULL : slot_at(to, to->count, target, &failed);
    if (slot == NULL) {
        Py_XDECREF(made);
        return 0;
    }
    Py_SETREF(*slot, made);
    return 1;
}

/* Do all moves of a statement, if the structs that they read from are set, and one value is set if parents must be
   built. */
static int moved(After *after, PyObject *source, PyObject *target, int share, int depth) {
    int is_any_set = after->is_always, failed;
    for (Py_ssize_t i = 0; i < after->count; i++) {
        PyObject **slot = slot_at(&after->from[i], after->from[i].count, source, &failed);
        if (slot == NULL)
            return !failed;
        if (*slot == Py_None && !after->from[i].steps[after->from[i].count - 1].member->can_be_none)
            return 0;
        int is_set = is_any_set ? 1 : is_not_zero(after->from[i].steps[after->from[i].count - 1].member, *slot);
        if (is_set < 0)
            return 0;
        is_any_set |= is_set;
    }
    for (Py_ssize_t i = 0; is_any_set && i < after->count; i++) {
        PyObject **slot = slot_at(&after->from[i], after->from[i].count, source, &failed);
        if (slot == NULL || !move_one(&after->to[i], target, after->hows[i], *slot, share, depth))
            return 0;
    }
    return 1;
}

/* The string of the first item of a list, or in it; NULL for an empty list (`*is_empty`), or an unsupported item. */
static PyObject *first_text(After *after, PyObject *list, int *is_empty) {
    *is_empty = list == Py_None || (PyList_CheckExact(list) && PyList_GET_SIZE(list) == 0);
    if (*is_empty || !PyList_CheckExact(list))
        return NULL;
    PyObject *item = PyList_GET_ITEM(list, 0);
    if (after->item != NULL) {
        if (!Py_IS_TYPE(item, after->item->cls))
            return NULL;
        item = *slot_of(item, after->item_member);
    }
    return item != NULL && PyUnicode_CheckExact(item) ? item : NULL;
}

static int set_first(After *after, PyObject *source, PyObject *target) {
    int failed, is_empty;
    PyObject **list = slot_at(after->from, 1, source, &failed), **slot = slot_at(after->to, 1, target, &failed);
    if (list == NULL || slot == NULL)
        return 0;
    PyObject *text = first_text(after, *list, &is_empty);
    if (is_empty)
        return 1; /* it is empty already */
    if (text == NULL)
        return 0;
    Py_SETREF(*slot, Py_NewRef(text));
    return 1;
}

static PyObject *list_of_one(After *after, PyObject *text) {
    PyObject *list = PyList_New(1), *item = after->item == NULL ? Py_NewRef(text) : NULL;
    if (list != NULL && after->item != NULL && (item = new_object(after->item)) != NULL) {
        *slot_of(item, after->item_member) = Py_NewRef(text);
        if (fill_zeros(after->item, item) < 0)
            Py_CLEAR(item);
    }
    if (list == NULL || item == NULL) {
        Py_XDECREF(list);
        Py_XDECREF(item);
        return NULL;
    }
    PyList_SET_ITEM(list, 0, item);
    return list;
}

/* Replace the plural by a list of the singular, if that is set and not the first item (if the plural wins: if the plural
   is empty). */
static int set_singular(After *after, PyObject *source, PyObject *target) {
    int failed, is_empty;
    PyObject **one = slot_at(after->from, 1, source, &failed), **list = slot_at(after->to, 1, target, &failed);
    if (one == NULL || list == NULL || !PyUnicode_CheckExact(*one))
        return 0;
    if (PyUnicode_GET_LENGTH(*one) == 0)
        return 1;
    PyObject *text = first_text(after, *list, &is_empty);
    if (text == NULL && !is_empty)
        return 0;
    if (text != NULL && (!after->is_always || PyUnicode_Compare(text, *one) == 0))
        return 1;
    PyObject *made = list_of_one(after, *one);
    if (made == NULL)
        return 0;
    Py_SETREF(*list, made);
    return 1;
}

/* Whether the alias is zero, or its primary field already has a value. */
static int is_alias(After *after, PyObject *source, PyObject *target) {
    int failed;
    PyObject **alias = slot_at(after->from, 1, source, &failed), **main = slot_at(after->to, 1, target, &failed);
    if (alias == NULL || main == NULL)
        return 0;
    int is_set = is_not_zero(after->from->steps->member, *alias);
    if (is_set != 0)
        return is_set > 0 && !after->is_always && is_not_zero(after->to->steps->member, *main) == 1;
    return 1;
}

static int is_unset(PyObject *value) {
    if (value == Py_None)
        return 1;
    if (PyList_CheckExact(value))
        return PyList_GET_SIZE(value) == 0;
    return PyDict_CheckExact(value) && PyDict_GET_SIZE(value) == 0;
}

static int holds_at(After *after, PyObject *root) {
    int failed;
    PyObject **slot = slot_at(after->from, after->from->count, root, &failed);
    if (slot == NULL)
        return !failed;
    if (after->kind == AFTER_UNSET)
        return is_unset(*slot);
    if (*slot == Py_None)
        return 1;
    if (after->kind == AFTER_KEYLESS)
        return PyDict_CheckExact(*slot) && PyDict_Contains(*slot, after->object) == 0;
    return PyLong_CheckExact(*slot) && PyObject_RichCompareBool(*slot, after->object, Py_GE) == 1;
}

static int run_after(Conversion *conversion, PyObject *source, PyObject *target, int share, int depth) {
    for (Py_ssize_t i = 0; i < conversion->after_count; i++) {
        After *after = &conversion->after[i];
        int done;
        switch (after->kind) {
        case AFTER_MOVED:
            done = moved(after, source, target, share, depth);
            break;
        case AFTER_FIRST:
            done = set_first(after, source, target);
            break;
        case AFTER_ALIAS:
            done = is_alias(after, source, target);
            break;
        case AFTER_SINGULAR:
            done = set_singular(after, source, target);
            break;
        default:
            done = holds_at(after, after->is_target ? target : source);
        }
        if (!done)
            return 0;
    }
    return 1;
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
