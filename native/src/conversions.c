/* Makes programs of conversions: from what generated code declares, and from the layouts of both sides. */
#include "convert.h"

static How *how_between(Codec *codec, Type *from, Type *to);

static int is_integer(Kind kind) { return kind >= KIND_INT32 && kind <= KIND_UINT64; }

static int narrows(Kind from, Kind to) {
    if (from == to || (from == KIND_FLOAT32 && to == KIND_FLOAT64) || (from == KIND_INT32 && to == KIND_INT64) ||
        (from == KIND_UINT32 && (to == KIND_INT64 || to == KIND_UINT64)))
        return 0;
    return 1;
}

static int how_struct(Codec *codec, Type *from, Type *to, How *how) {
    how->kind = HOW_STRUCT;
    how->is_same_shape = from->target == to->target;
    how->conversion =
        how->is_same_shape ? linked_copy(codec, to->target) : linked_conversion(codec, from->target, to->target);
    return how->conversion != NULL;
}

static int fill_how(Codec *codec, Type *from, Type *to, How *how) {
    how->nullable = from->nullable;
    if ((is_integer(from->kind) && is_integer(to->kind)) || (from->kind == KIND_FLOAT32 && to->kind == KIND_FLOAT64) ||
        (from->kind == KIND_FLOAT64 && to->kind == KIND_FLOAT32)) {
        how->kind = narrows(from->kind, to->kind) ? HOW_CHECKED : HOW_SAME;
        how->number = to->kind;
        how->is_same_shape = how->kind == HOW_SAME;
        return 1;
    }
    if (from->kind != to->kind || from->known != to->known)
        return 0;
    if (from->kind == KIND_STRUCT)
        return how_struct(codec, from, to, how);
    how->kind = from->kind == KIND_LIST ? HOW_LIST : from->kind == KIND_MAP ? HOW_MAP : HOW_SAME;
    how->is_same_shape = 1;
    if (how->kind == HOW_SAME)
        return 1;
    how->item = how_between(codec, from->item, to->item);
    if (how->item == NULL)
        return 0;
    how->is_same_shape = how->item->is_same_shape;
    return 1;
}

/* NULL if the types do not convert, or only in Python. */
static How *how_between(Codec *codec, Type *from, Type *to) {
    How *how = codec_alloc(codec, sizeof(How));
    return how != NULL && fill_how(codec, from, to, how) ? how : NULL;
}

/* --- what is declared -------------------------------------------------------------------------------------------- */

static Member *member_named(Struct *layout, PyObject *name) {
    Py_ssize_t size;
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &size) : NULL;
    return text == NULL ? NULL : find_member(layout, text, size);
}

static int read_path(Codec *codec, Struct *layout, PyObject *names, Path *path) {
    if (!PyTuple_Check(names) || PyTuple_GET_SIZE(names) == 0)
        return 0;
    path->count = PyTuple_GET_SIZE(names);
    path->steps = codec_alloc(codec, path->count * sizeof(PathStep));
    for (Py_ssize_t i = 0; path->steps != NULL && i < path->count; i++) {
        if (layout == NULL || !layout->is_filled)
            return 0;
        path->steps[i].holder = layout;
        path->steps[i].member = member_named(layout, PyTuple_GET_ITEM(names, i));
        if (path->steps[i].member == NULL)
            return 0;
        layout = path->steps[i].member->type->target; /* NULL for all but structs */
    }
    return path->steps != NULL;
}

static Type *type_at(const Path *path) { return path->steps[path->count - 1].member->type; }

static Made *made_at(Conversion *conversion, Member *to) {
    for (Py_ssize_t i = 0; i < conversion->made_count; i++)
        if (conversion->made[i].to == to->offset)
            return &conversion->made[i];
    return NULL;
}

/* ("moved", is always, ((from, to), ...)), where paths are tuples of names. */
static int add_moved(Codec *codec, Conversion *conversion, PyObject *step, After *after) {
    PyObject *pairs, *from, *to;
    if (!PyArg_ParseTuple(step, "OpO!", &from, &after->is_always, &PyTuple_Type, &pairs))
        return 0;
    after->kind = AFTER_MOVED;
    after->count = PyTuple_GET_SIZE(pairs);
    after->from = codec_alloc(codec, after->count * sizeof(Path));
    after->to = codec_alloc(codec, after->count * sizeof(Path));
    after->hows = codec_alloc(codec, after->count * sizeof(How *));
    if (after->from == NULL || after->to == NULL || after->hows == NULL)
        return 0;
    for (Py_ssize_t i = 0; i < after->count; i++) {
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(pairs, i), "OO", &from, &to) ||
            !read_path(codec, conversion->source, from, &after->from[i]) ||
            !read_path(codec, conversion->target, to, &after->to[i]))
            return 0;
        after->hows[i] = how_between(codec, type_at(&after->from[i]), type_at(&after->to[i]));
        if (after->hows[i] == NULL)
            return 0;
        Made *made = made_at(conversion, after->to[i].steps[0].member);
        if (made != NULL && (after->to[i].count > 2 || made->how->is_same_shape))
            made->is_owned = 1;
    }
    return 1;
}

/* (word, from, to) with or without the name of a member of a list's items. */
static int add_pair(Codec *codec, Conversion *conversion, PyObject *step, After *after) {
    PyObject *word, *from, *to, *name = Py_None;
    if (!PyArg_ParseTuple(step, "OOO|Op", &word, &from, &to, &name, &after->is_always))
        return 0;
    after->from = codec_alloc(codec, sizeof(Path));
    after->to = codec_alloc(codec, sizeof(Path));
    if (after->from == NULL || after->to == NULL || !read_path(codec, conversion->source, from, after->from) ||
        !read_path(codec, conversion->target, to, after->to) || after->from->count != 1 || after->to->count != 1)
        return 0;
    if (after->kind == AFTER_ALIAS) {
        after->is_always = name == Py_True;
        return 1;
    }
    Type *list = after->kind == AFTER_FIRST ? type_at(after->from) : type_at(after->to);
    if (list->kind != KIND_LIST || (name == Py_None) != (list->item->kind == KIND_STRING))
        return 0;
    if (name == Py_None)
        return 1;
    after->item = list->item->target;
    after->item_member = after->item != NULL && after->item->is_filled ? member_named(after->item, name) : NULL;
    return after->item_member != NULL;
}

/* (word, is of the target, path) or the same with an object. */
static int add_check(Codec *codec, Conversion *conversion, PyObject *step, After *after) {
    PyObject *word, *names;
    after->from = codec_alloc(codec, sizeof(Path));
    if (after->from == NULL || !PyArg_ParseTuple(step, "OpO|O", &word, &after->is_target, &names, &after->object))
        return 0;
    return read_path(codec, after->is_target ? conversion->target : conversion->source, names, after->from);
}

/* --- members ----------------------------------------------------------------------------------------------------- */

/* (word, to, from, value): None becomes the value, or the value None. */
static int add_absence(Codec *codec, Conversion *conversion, PyObject *step, int is_filled) {
    PyObject *word, *to, *from, *value;
    Absence *absence = &conversion->absences[conversion->absence_count++];
    if (!PyArg_ParseTuple(step, "OOOO", &word, &to, &from, &value))
        return 0;
    absence->is_filled = is_filled;
    absence->value = value == Py_None ? NULL : value;
    absence->to = member_named(conversion->target, to);
    absence->from = member_named(conversion->source, from);
    if (absence->to == NULL || absence->from == NULL)
        return 0;
    absence->how = how_between(codec, absence->from->type, absence->to->type);
    return absence->how != NULL;
}

/* The declaration for a member of the target, as (word, its name, ...); NULL without one. */
static PyObject *declared_of(Conversion *conversion, Member *to) {
    static const char *WORDS[] = {"from", "left", "filled", "emptied"};
    for (Py_ssize_t i = 0; conversion->steps != NULL && i < PyTuple_GET_SIZE(conversion->steps); i++) {
        PyObject *step = PyTuple_GET_ITEM(conversion->steps, i);
        for (size_t word = 0; word < 4; word++)
            if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(step, 0), WORDS[word]) == 0 &&
                member_named(conversion->target, PyTuple_GET_ITEM(step, 1)) == to)
                return step;
    }
    return NULL;
}

static void add_zero(Conversion *conversion, Member *to) {
    Fixed *fixed = &conversion->fixed[conversion->fixed_count++];
    fixed->to = to->offset;
    fixed->value = to->zero;
    fixed->type = to->type;
}

static int add_value(Codec *codec, Conversion *conversion, Member *from, Member *to) {
    How *how = how_between(codec, from->type, to->type);
    if (how == NULL || (from->can_be_none && !to->can_be_none))
        return 0;
    if (how->kind == HOW_SAME) {
        conversion->taken[conversion->taken_count].from = from->offset;
        conversion->taken[conversion->taken_count++].to = to->offset;
        return 1;
    }
    Made *made = &conversion->made[conversion->made_count++];
    made->from = from->offset;
    made->to = to->offset;
    made->how = how;
    made->can_be_none = from->can_be_none;
    return 1;
}

static int add_member(Codec *codec, Conversion *conversion, Member *to) {
    PyObject *step = declared_of(conversion, to);
    if (step == NULL) {
        Member *from = find_member(conversion->source, to->name, to->name_size);
        if (from != NULL)
            return add_value(codec, conversion, from, to);
        add_zero(conversion, to);
        return 1;
    }
    const char *word = PyUnicode_AsUTF8(PyTuple_GET_ITEM(step, 0));
    if (word[0] == 'l') {
        add_zero(conversion, to);
        return 1;
    }
    if (strcmp(word, "from") != 0)
        return add_absence(codec, conversion, step, word[0] == 'f');
    Member *from = PyTuple_GET_SIZE(step) == 3 ? member_named(conversion->source, PyTuple_GET_ITEM(step, 2)) : NULL;
    return from != NULL && add_value(codec, conversion, from, to);
}

/* --- linking ----------------------------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    AfterKind kind;
    int (*add)(Codec *, Conversion *, PyObject *, After *);
} AFTERS[] = {
    {"moved", AFTER_MOVED, add_moved},       {"first", AFTER_FIRST, add_pair},   {"alias", AFTER_ALIAS, add_pair},
    {"singular", AFTER_SINGULAR, add_pair},  {"keyless", AFTER_KEYLESS, add_check}, {"unset", AFTER_UNSET, add_check},
    {"at least", AFTER_AT_LEAST, add_check},
};

static int add_after(Codec *codec, Conversion *conversion, PyObject *step) {
    for (size_t i = 0; i < sizeof(AFTERS) / sizeof(AFTERS[0]); i++)
        if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(step, 0), AFTERS[i].word) == 0) {
            After *after = &conversion->after[conversion->after_count++];
            after->kind = AFTERS[i].kind;
            return AFTERS[i].add(codec, conversion, step, after);
        }
    return 1; /* it is about a member */
}

static int link_members(Codec *codec, Conversion *conversion) {
    Py_ssize_t count = conversion->target->count, steps = conversion->steps ? PyTuple_GET_SIZE(conversion->steps) : 0;
    conversion->taken = codec_alloc(codec, count * sizeof(Taken));
    conversion->made = codec_alloc(codec, count * sizeof(Made));
    conversion->fixed = codec_alloc(codec, count * sizeof(Fixed));
    conversion->absences = codec_alloc(codec, count * sizeof(Absence));
    conversion->after = codec_alloc(codec, steps * sizeof(After));
    if (conversion->taken == NULL || conversion->made == NULL || conversion->fixed == NULL ||
        conversion->absences == NULL || conversion->after == NULL)
        return 0;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!add_member(codec, conversion, &conversion->target->members[i]))
            return 0;
    for (Py_ssize_t i = 0; i < steps; i++)
        if (!add_after(codec, conversion, PyTuple_GET_ITEM(conversion->steps, i)))
            return 0;
    return 1;
}

static Conversion *linked(Codec *codec, Conversion *conversion) {
    int is_old = conversion->state == UNLINKABLE && conversion->additions != codec->additions;
    if (conversion->state == DECLARED || is_old) {
        conversion->state = LINKED; /* types may hold themselves */
        conversion->additions = codec->additions;
        conversion->taken_count = conversion->made_count = conversion->fixed_count = 0;
        conversion->absence_count = conversion->after_count = 0;
        int done = conversion->source->is_filled && conversion->target->is_filled;
        if (done && conversion->function != NULL)
            done = linked_copy(codec, conversion->target) != NULL;
        else if (done)
            done = link_members(codec, conversion);
        int fatal = is_fatal();
        if (!done || fatal)
            conversion->state = fatal ? DECLARED : UNLINKABLE;
        if (!fatal)
            PyErr_Clear();
    }
    return conversion->state == LINKED ? conversion : NULL;
}

Conversion *linked_conversion(Codec *codec, Struct *source, Struct *target) {
    for (Conversion *found = source->conversions; found != NULL; found = found->next)
        if (found->target == target)
            return linked(codec, found);
    return NULL;
}

static Conversion *declared(Codec *codec, Struct *source, Struct *target) {
    Conversion *conversion = codec_alloc(codec, sizeof(Conversion));
    if (conversion != NULL) {
        conversion->source = source;
        conversion->target = target;
    }
    return conversion;
}

Conversion *linked_copy(Codec *codec, Struct *layout) {
    if (layout->copy == NULL)
        layout->copy = declared(codec, layout, layout);
    return layout->copy == NULL ? NULL : linked(codec, layout->copy);
}

PyObject *codec_add_conversion(Codec *codec, PyObject *args) {
    PyObject *source, *target, *steps, *function;
    if (!PyArg_ParseTuple(args, "O!O!O!O:add_conversion", &PyType_Type, &source, &PyType_Type, &target, &PyTuple_Type,
                          &steps, &function) ||
        codec_keep(codec, args) < 0)
        return NULL;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(steps); i++) {
        PyObject *step = PyTuple_GET_ITEM(steps, i);
        if (!PyTuple_Check(step) || PyTuple_GET_SIZE(step) < 2 || !PyUnicode_Check(PyTuple_GET_ITEM(step, 0)))
            Py_RETURN_FALSE;
    }
    Struct *from = codec_struct(codec, (PyTypeObject *)source), *to = codec_struct(codec, (PyTypeObject *)target);
    if (from == NULL || to == NULL)
        Py_RETURN_FALSE;
    for (Conversion *known = from->conversions; known != NULL; known = known->next)
        if (known->target == to)
            Py_RETURN_TRUE;
    Conversion *conversion = declared(codec, from, to);
    if (conversion == NULL)
        return NULL;
    conversion->steps = steps;
    conversion->function = function == Py_None ? NULL : function;
    conversion->next = from->conversions;
    from->conversions = conversion;
    codec->additions++;
    Py_RETURN_TRUE;
}
