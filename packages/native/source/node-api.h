/*
 * The part of Node-API that the addon uses, declared from its documentation (https://nodejs.org/api/n-api.html), version 8: so it is compiled
 * where no headers of Node are. The interface is stable: a runtime with a later version runs the same addon.
 */
#ifndef LANEWISE_NODE_API_H
#define LANEWISE_NODE_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_ref__ *napi_ref;
typedef struct napi_callback_info__ *napi_callback_info;
typedef napi_value (*napi_callback)(napi_env env, napi_callback_info info);
typedef void (*napi_finalize)(napi_env env, void *data, void *hint);

/* Of the statuses, those that the addon names; others are failures. */
typedef enum { napi_ok = 0, napi_invalid_arg = 1 } napi_status;

/* napi_int8_array is 0. */
typedef enum { napi_uint8_array = 1 } napi_typedarray_type;

#define NAPI_AUTO_LENGTH SIZE_MAX

/* Functions of the program that loads the addon. */
#if defined(_WIN32)
#define NAPI __declspec(dllimport)
#define NAPI_EXPORT __declspec(dllexport)
#else
#define NAPI
#define NAPI_EXPORT __attribute__((visibility("default")))
#endif

NAPI napi_status napi_add_finalizer(
  napi_env env, napi_value object, void *data, napi_finalize finalize, void *hint, napi_ref *result);
NAPI napi_status napi_create_array(napi_env env, napi_value *result);
NAPI napi_status napi_create_function(
  napi_env env, const char *name, size_t length, napi_callback callback, void *data, napi_value *result);
NAPI napi_status napi_create_int32(napi_env env, int32_t value, napi_value *result);
NAPI napi_status napi_create_object(napi_env env, napi_value *result);
NAPI napi_status napi_create_string_utf8(napi_env env, const char *text, size_t length, napi_value *result);
NAPI napi_status napi_create_uint32(napi_env env, uint32_t value, napi_value *result);
NAPI napi_status napi_get_cb_info(
  napi_env env, napi_callback_info info, size_t *count, napi_value *arguments, napi_value *self, void **data);
NAPI napi_status napi_get_instance_data(napi_env env, void **data);
NAPI napi_status napi_get_typedarray_info(
  napi_env env, napi_value array, napi_typedarray_type *type, size_t *length, void **data, napi_value *buffer, size_t *offset);
NAPI napi_status napi_get_value_string_latin1(napi_env env, napi_value value, char *text, size_t size, size_t *length);
NAPI napi_status napi_get_value_uint32(napi_env env, napi_value value, uint32_t *result);
NAPI napi_status napi_is_arraybuffer(napi_env env, napi_value value, bool *result);
NAPI napi_status napi_is_exception_pending(napi_env env, bool *result);
NAPI napi_status napi_set_element(napi_env env, napi_value object, uint32_t index, napi_value value);
NAPI napi_status napi_set_instance_data(napi_env env, void *data, napi_finalize finalize, void *hint);
NAPI napi_status napi_set_named_property(napi_env env, napi_value object, const char *name, napi_value value);
NAPI napi_status napi_throw_error(napi_env env, const char *code, const char *message);
NAPI napi_status napi_throw_range_error(napi_env env, const char *code, const char *message);
NAPI napi_status napi_throw_type_error(napi_env env, const char *code, const char *message);

/* Runtimes look for these in the file. */
NAPI_EXPORT napi_value napi_register_module_v1(napi_env env, napi_value exports);
NAPI_EXPORT int32_t node_api_module_get_api_version_v1(void);

#endif
