/* Finds kinds by the `apiVersion` and `kind` of documents, and the conversions of their objects to hub and versions. */
#include "convert.h"

static uint32_t hash_said(const Said *said) {
    return hash_name(said->version, said->version_size) * 31 + hash_name(said->kind, said->kind_size);
}

static int is_same(const Said *one, const Said *other) {
    return one->version_size == other->version_size && one->kind_size == other->kind_size &&
           memcmp(one->version, other->version, one->version_size) == 0 &&
           memcmp(one->kind, other->kind, one->kind_size) == 0;
}

static KindEntry *place_of(KindEntry *kinds, uint32_t room, uint32_t hash, const Said *said) {
    for (uint32_t at = hash & (room - 1);; at = (at + 1) & (room - 1)) {
        KindEntry *entry = &kinds[at];
        if (entry->layout == NULL || (entry->hash == hash && is_same(&entry->said, said)))
            return entry;
    }
}

Struct *kind_named(Codec *codec, const Said *said) {
    return codec->kind_room == 0 ? NULL : place_of(codec->kinds, codec->kind_room, hash_said(said), said)->layout;
}

static int grow_kinds(Codec *codec) {
    uint32_t room = codec->kind_room ? 2 * codec->kind_room : 64;
    KindEntry *kinds = PyMem_Calloc(room, sizeof(KindEntry));
    if (kinds == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (uint32_t i = 0; i < codec->kind_room; i++)
        if (codec->kinds[i].layout != NULL)
            *place_of(kinds, room, codec->kinds[i].hash, &codec->kinds[i].said) = codec->kinds[i];
    PyMem_Free(codec->kinds);
    codec->kinds = kinds;
    codec->kind_room = room;
    return 0;
}

PyObject *codec_add_kind(Codec *codec, PyObject *args) {
    PyObject *cls;
    KindEntry entry = {0};
    PyObject *version, *kind;
    int has_protobuf;
    if (!PyArg_ParseTuple(args, "O!UUp:add_kind", &PyType_Type, &cls, &version, &kind, &has_protobuf) ||
        codec_keep(codec, args) < 0)
        return NULL;
    entry.layout = codec_struct(codec, (PyTypeObject *)cls);
    if (entry.layout == NULL)
        Py_RETURN_FALSE;
    entry.said.version = PyUnicode_AsUTF8AndSize(version, &entry.said.version_size);
    entry.said.kind = PyUnicode_AsUTF8AndSize(kind, &entry.said.kind_size);
    if (entry.said.version == NULL || entry.said.kind == NULL)
        return left_to_python(Py_False);
    if (2 * codec->kind_count + 2 > codec->kind_room && grow_kinds(codec) < 0)
        return NULL;
    entry.hash = hash_said(&entry.said);
    entry.layout->version = version;
    entry.layout->kind = kind;
    entry.layout->has_protobuf = has_protobuf;
    KindEntry *place = place_of(codec->kinds, codec->kind_room, entry.hash, &entry.said);
    codec->kind_count += place->layout == NULL;
    *place = entry;
    Py_RETURN_TRUE;
}

/* The route from a class to another one: one conversion, or two; False if only Python has one. */
PyObject *codec_add_route(Codec *codec, PyObject *args) {
    PyObject *cls, *to, *first, *second;
    if (!PyArg_ParseTuple(args, "O!UO!O:add_route", &PyType_Type, &cls, &to, &PyType_Type, &first, &second) ||
        codec_keep(codec, args) < 0)
        return NULL;
    Route *route = codec_alloc(codec, sizeof(Route));
    if (route == NULL)
        return NULL;
    Struct *source = codec_struct(codec, (PyTypeObject *)cls), *middle = codec_struct(codec, (PyTypeObject *)first);
    Struct *end = PyType_Check(second) ? codec_struct(codec, (PyTypeObject *)second) : NULL;
    for (Route *known = source == NULL ? NULL : source->routes; known != NULL; known = known->next)
        if (PyUnicode_Compare(known->to, to) == 0)
            Py_RETURN_TRUE;
    route->to = to;
    route->first = source == NULL || middle == NULL ? NULL : linked_conversion(codec, source, middle);
    route->second = middle == NULL || end == NULL ? NULL : linked_conversion(codec, middle, end);
    if (route->first == NULL || (second != Py_None && route->second == NULL))
        return left_to_python(Py_False);
    route->next = source->routes;
    source->routes = route;
    Py_RETURN_TRUE;
}
