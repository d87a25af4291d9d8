/* Times in their usual forms: `2001-02-03T04:05:06Z` in JSON, whole seconds on the wire. And the text of quantities. */
#include "layout.h"

#include <string.h>

#define DAY 86400LL

static int digits(const char *at, int count, int *number) {
    *number = 0;
    for (int i = 0; i < count; i++) {
        if (at[i] < '0' || at[i] > '9')
            return 0;
        *number = *number * 10 + (at[i] - '0');
    }
    return 1;
}

static int month_size(int year, int month) {
    static const int SIZES[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return SIZES[month - 1] + (month == 2 && is_leap);
}

/* Days since 1970; months count from March, so that leap days come last. */
static int64_t days_since_1970(int year, int month, int day) {
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int parse_time(const char *text, int64_t *seconds) {
    int year, month, day, hour, minute, second;
    if (!digits(text, 4, &year) || text[4] != '-' || !digits(text + 5, 2, &month) || text[7] != '-' ||
        !digits(text + 8, 2, &day) || text[10] != 'T' || !digits(text + 11, 2, &hour) || text[13] != ':' ||
        !digits(text + 14, 2, &minute) || text[16] != ':' || !digits(text + 17, 2, &second) || text[19] != 'Z')
        return 0;
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > month_size(year, month) || hour > 23 || minute > 59 ||
        second > 59)
        return 0;
    *seconds = days_since_1970(year, month, day) * DAY + hour * 3600 + minute * 60 + second;
    return *seconds != ZERO_SECONDS;
}

PyObject *time_of_seconds(WellKnown *known, int64_t seconds) {
    PyObject *number = PyLong_FromLongLong(seconds);
    PyObject *time = number == NULL ? NULL : object_of(known->time_class, known->time_pool);
    if (time == NULL) {
        Py_XDECREF(number);
        return NULL;
    }
    *(PyObject **)((char *)time + known->seconds_offset) = number;
    return time;
}

PyObject *time_of_text(WellKnown *known, const char *text, Py_ssize_t size) {
    int64_t seconds;
    return size == 20 && parse_time(text, &seconds) ? time_of_seconds(known, seconds) : NULL;
}

int seconds_of_time(WellKnown *known, PyObject *time, int64_t *seconds) {
    int overflow;
    if (known->time_class == NULL || !Py_IS_TYPE(time, known->time_class))
        return 0;
    PyObject *number = *(PyObject **)((char *)time + known->seconds_offset);
    if (number == NULL || !PyLong_CheckExact(number))
        return 0;
    *seconds = PyLong_AsLongLongAndOverflow(number, &overflow);
    return !overflow && *seconds != ZERO_SECONDS; /* which would be read as unset */
}

static void put_digits(char *at, int count, int64_t number) {
    for (int i = count - 1; i >= 0; i--, number /= 10)
        at[i] = (char)('0' + number % 10);
}

/* The 22 characters of a time of the years 1 to 9999, in quotes; 0 for others. */
int text_of_time(WellKnown *known, PyObject *time, char *text) {
    int64_t seconds;
    if (!seconds_of_time(known, time, &seconds) || seconds < ZERO_SECONDS || seconds >= 253402300800LL)
        return 0;
    int64_t day = (seconds - ZERO_SECONDS) / DAY - 719162, clock = (seconds - ZERO_SECONDS) % DAY;
    int64_t z = day + 719468, era = z / 146097, of_era = z % 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
    memcpy(text, "\"0000-00-00T00:00:00Z\"", 22);
    put_digits(text + 9, 2, of_year - (153 * month + 2) / 5 + 1);
    month += month < 10 ? 3 : -9;
    put_digits(text + 6, 2, month);
    put_digits(text + 1, 4, year + era * 400 + (month <= 2));
    put_digits(text + 12, 2, clock / 3600);
    put_digits(text + 15, 2, clock / 60 % 60);
    put_digits(text + 18, 2, clock % 60);
    return 1;
}

#define MOST_KEPT 1024
#define LONGEST_KEPT 32

PyObject *text_of_known(WellKnown *known, PyObject *value) {
    if (known->text_class == NULL || !Py_IS_TYPE(value, known->text_class))
        return NULL;
    PyObject *text = *(PyObject **)((char *)value + known->text_offset);
    return text != NULL && PyUnicode_CheckExact(text) ? text : NULL;
}

PyObject *known_of_text(WellKnown *known, PyObject *text) {
    PyObject *value = PyDict_GetItemWithError(known->cache, text);
    if (value != NULL)
        return Py_NewRef(value);
    value = PyErr_Occurred() ? NULL : PyObject_CallOneArg(known->from_json, text);
    if (value == NULL || PyUnicode_GET_LENGTH(text) > LONGEST_KEPT)
        return value;
    if (PyDict_GET_SIZE(known->cache) >= MOST_KEPT)
        PyDict_Clear(known->cache);
    if (PyDict_SetItem(known->cache, text, value) < 0)
        Py_CLEAR(value);
    return value;
}
