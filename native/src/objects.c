/* Creates and frees objects of generated classes.

   They consist of slots only, so both visit each slot once. Their memory is kept for the next objects with the same
   number of slots, as CPython does for lists and dicts, and such objects are not reported to the garbage collector.
   Objects of other classes are left to CPython. */
#include "layout.h"

#define MOST_SLOTS 64
#if defined(__SANITIZE_ADDRESS__) || defined(Py_GIL_DISABLED)
#define MOST_KEPT 0
#else
#define MOST_KEPT 128 /* of one size */
#endif

/* Maximum nesting of deallocations on the stack; deeper ones are deferred by CPython. */
#define MOST_NESTED 20

/* Memory of freed objects of one size, chained by their first slots. */
struct Pool {
    PyObject *first;
    int count;
};

static Pool pools[MOST_SLOTS + 1];
static int nested;

static inline PyObject **slots_of(PyObject *object) { return (PyObject **)(object + 1); }

static Py_ssize_t slot_count(PyTypeObject *cls) {
    return (cls->tp_basicsize - (Py_ssize_t)sizeof(PyObject)) / (Py_ssize_t)sizeof(PyObject *);
}

/* --- freeing ----------------------------------------------------------------------------------------------------- */

static void clear_slots(PyObject *object, Py_ssize_t count) {
    PyObject **slots = slots_of(object);
    Nones nones = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *value = slots[i];
        slots[i] = NULL;
        if (value == Py_None)
            nones--;
        else
            Py_XDECREF(value);
    }
    count_nones(nones);
}

static void free_object(PyObject *object);

static int keep(PyObject *object, Py_ssize_t count) {
    Pool *pool = &pools[count];
    if (pool->count >= MOST_KEPT || Py_TYPE(object)->tp_finalize != NULL)
        return 0;
    slots_of(object)[0] = pool->first;
    pool->first = object;
    pool->count++;
    return 1;
}

/* The object may be of a subclass, whose own attributes are already freed. */
static void free_now(PyObject *object) {
    PyTypeObject *cls = Py_TYPE(object), *owner = cls;
    while (owner->tp_dealloc != free_object)
        owner = owner->tp_base;
    Py_ssize_t count = slot_count(owner);
    clear_slots(object, count);
    if (owner != cls || !keep(object, count))
        cls->tp_free(object);
    Py_DECREF(cls);
}

/* `tp_dealloc` of classes that consist of slots only. */
static void free_object(PyObject *object) {
    if (Py_TYPE(object)->tp_finalize != NULL && PyObject_CallFinalizerFromDealloc(object) < 0)
        return;
    PyObject_GC_UnTrack(object);
    if (nested < MOST_NESTED) {
        nested++;
        free_now(object);
        nested--;
        return;
    }
    Py_TRASHCAN_BEGIN(object, free_object);
    free_now(object);
    Py_TRASHCAN_END;
}

/* --- making ------------------------------------------------------------------------------------------------------ */

static int is_slots_only(PyTypeObject *cls) {
    unsigned long needed = Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_HAVE_GC;
    Py_ssize_t count = Py_SIZE((PyObject *)cls);
#ifdef Py_TPFLAGS_MANAGED_DICT
    if (PyType_HasFeature(cls, Py_TPFLAGS_MANAGED_DICT))
        return 0;
#endif
    return (PyType_GetFlags(cls) & needed) == needed && cls->tp_base == &PyBaseObject_Type && count > 0 &&
           count <= MOST_SLOTS && slot_count(cls) == count && cls->tp_itemsize == 0 && cls->tp_dictoffset == 0 &&
           cls->tp_weaklistoffset == 0 && cls->tp_alloc == PyType_GenericAlloc && cls->tp_free == PyObject_GC_Del;
}

Pool *adopt(PyTypeObject *cls) {
    if (!is_slots_only(cls))
        return NULL;
    cls->tp_dealloc = free_object;
    return &pools[slot_count(cls)];
}

PyObject *object_of(PyTypeObject *cls, Pool *pool) {
    PyObject *object = pool == NULL ? NULL : pool->first;
    if (object == NULL)
        return cls->tp_alloc(cls, 0);
    pool->first = slots_of(object)[0];
    pool->count--;
    slots_of(object)[0] = NULL;
    PyObject_Init(object, cls);
    PyObject_GC_Track(object);
    return object;
}

PyObject *new_object(Struct *layout) { return layout->is_filled ? object_of(layout->cls, layout->pool) : NULL; }

/* --- zero values ------------------------------------------------------------------------------------------------- */

PyObject *zero_of(Type *type) {
    switch (type->kind) {
    case KIND_STRING:
        return PyUnicode_New(0, 0);
    case KIND_BOOL:
        Py_RETURN_FALSE;
    case KIND_FLOAT32:
    case KIND_FLOAT64:
        return PyFloat_FromDouble(0.0);
    case KIND_BYTES:
        return PyBytes_FromStringAndSize(NULL, 0);
    case KIND_TEXT:
    case KIND_RAW:
        return Py_NewRef(type->known->zero);
    case KIND_LIST:
        return PyList_New(0);
    case KIND_MAP:
        return PyDict_New();
    case KIND_STRUCT: {
        PyObject *object = new_object(type->target);
        if (object != NULL && fill_zeros(type->target, object) < 0)
            Py_CLEAR(object);
        return object;
    }
    default:
        return PyLong_FromLong(0);
    }
}

int fill_zeros(Struct *layout, PyObject *object) {
    Nones nones = 0;
    const Zero *zero = layout->zeros, *end = zero + layout->count;
    for (; zero < end; zero++) {
        PyObject **slot = (PyObject **)((char *)object + zero->offset);
        if (*slot != NULL)
            continue;
        if (zero->value == Py_None)
            nones++;
        *slot = zero->value == NULL ? zero_of(zero->type) : zero->value == Py_None ? Py_None : Py_NewRef(zero->value);
        if (*slot == NULL)
            break;
    }
    count_nones(nones);
    return zero == end ? 0 : -1;
}
