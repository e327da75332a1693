/*
 * The addon: kernels as functions of JavaScript, through Node-API, which Node, Bun, Deno and Electron share. No callback runs code of
 * JavaScript, so nothing can resize, detach or collect an array between the check of its bytes and the last use of them.
 */
#include <stdlib.h>

#include "kernels.h"
#include "node-api.h"
#include "widths.h"

#define KERNEL(name, hash) hash,
static const uint32_t hashes[] = {KERNEL_HASHES};
#undef KERNEL
#define KERNEL_COUNT (sizeof hashes / sizeof *hashes)
/* Of a function of a kernel; bytes for the stage come after as many. */
#define MOST_ARGUMENTS 8
#define MOST_FUNCTIONS 16

struct bound {
  struct instance *instance;
  const struct export_ *export_;
};

/* A kernel over a memory of JavaScript. Each of its functions keeps the memory from being collected; the last that is, ends the instance. */
struct instance {
  struct memory memory;
  uint32_t functions;
  struct bound bound[MOST_FUNCTIONS];
};

/* Each environment is the main thread's or a worker's. */
struct environment {
  struct width widths[4];
  uint32_t width_count;
};

#define TRY(call) \
  do { \
    if ((call) != napi_ok) return failed(env); \
  } while (0)

static napi_value failed(napi_env env) {
  bool pending = false;
  napi_is_exception_pending(env, &pending);
  if (!pending) napi_throw_error(env, NULL, "the call of native code failed");
  return NULL;
}

/* More than any kernel uses: words that compilers moved from registers to the stack are overwritten, too. */
#define STACK_BYTES 6144
OUTLINE void wipe_stack(void) {
  uint8_t frame[STACK_BYTES];
  wipe(frame, sizeof frame);
}

/*
 * Bytes of the caller for the stage. Those that another thread can write are copied, because a kernel may read them twice; the copy is at
 * `copied`.
 */
static napi_status take_input(napi_env env, struct memory *memory, napi_value value, void **copied) {
  napi_typedarray_type type;
  size_t length;
  void *data;
  napi_value buffer;
  bool is_array_buffer;
  napi_status status = napi_get_typedarray_info(env, value, &type, &length, &data, &buffer, NULL);
  if (status != napi_ok) return status;
  if (type != napi_uint8_array || !data) return napi_invalid_arg;
  status = napi_is_arraybuffer(env, buffer, &is_array_buffer);
  if (status != napi_ok) return status;
  if (!is_array_buffer) {
    *copied = malloc(length);
    if (!*copied) return napi_invalid_arg;
    data = memcpy(*copied, data, length);
  }
  memory->input = data;
  memory->input_length = length;
  return napi_ok;
}

/* Calls a function of a kernel: whole numbers, and possibly bytes that stand for the stage. */
static napi_value run(napi_env env, napi_callback_info info) {
  size_t count = MOST_ARGUMENTS + 1;
  napi_value values[MOST_ARGUMENTS + 1];
  uint32_t arguments[MOST_ARGUMENTS] = {0};
  void *data;
  TRY(napi_get_cb_info(env, info, &count, values, NULL, &data));
  const struct bound *bound = data;
  const struct export_ *export_ = bound->export_;
  struct memory *memory = &bound->instance->memory;
  for (uint32_t i = 0; i < export_->arguments && i < count; i++)
    TRY(napi_get_value_uint32(env, values[i], &arguments[i]));
  void *copied = NULL;
  if (count > MOST_ARGUMENTS && take_input(env, memory, values[MOST_ARGUMENTS], &copied) != napi_ok) {
    napi_throw_type_error(env, NULL, "\"input\" expected Uint8Array, and memory for a copy if other threads can write it");
    return NULL;
  }
  const uint32_t result = export_->run(memory, arguments);
  if (copied) wipe(copied, memory->input_length);
  free(copied);
  memory->input = NULL;
  memory->input_length = 0;
  wipe_stack();
  if (result == TRAP) {
    napi_throw_range_error(env, NULL, "memory access out of bounds");
    return NULL;
  }
  if (!export_->has_result) return NULL;
  napi_value number;
  TRY(napi_create_uint32(env, result, &number));
  return number;
}

/* FNV-1a, as scripts/kernels.ts computes it. */
static uint32_t hash_of(const char *text, size_t length) {
  uint32_t hash = 0x811c9dc5;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)text[i]) * 0x01000193;
  return hash;
}

/* (text): the number of the kernel whose module has this text, or -1. */
static napi_value find(napi_env env, napi_callback_info info) {
  size_t count = 1, length = 0;
  napi_value value, number;
  int32_t found = -1;
  TRY(napi_get_cb_info(env, info, &count, &value, NULL, NULL));
  TRY(napi_get_value_string_latin1(env, value, NULL, 0, &length));
  char *text = malloc(length + 1);
  if (text && napi_get_value_string_latin1(env, value, text, length + 1, &length) == napi_ok) {
    const uint32_t hash = hash_of(text, length);
    for (uint32_t i = 0; i < KERNEL_COUNT; i++)
      if (hashes[i] == hash) found = (int32_t)i;
  }
  free(text);
  TRY(napi_create_int32(env, found, &number));
  return number;
}

static void discard(struct instance *instance) {
  wipe(instance, sizeof *instance);
  free(instance);
}

/* A function has been collected. */
static void collected(napi_env env, void *data, void *hint) {
  (void)env, (void)hint;
  struct instance *instance = data;
  if (--instance->functions == 0) discard(instance);
}

/* Makes the object with the functions of a kernel. */
static napi_status make_functions(napi_env env, struct instance *instance, const struct kernel *kernel, napi_value memory, napi_value object) {
  for (uint32_t i = 0; i < kernel->count; i++) {
    napi_value its;
    instance->bound[i] = (struct bound){instance, &kernel->exports[i]};
    napi_status status = napi_create_function(env, kernel->exports[i].name, NAPI_AUTO_LENGTH, run, &instance->bound[i], &its);
    if (status == napi_ok) status = napi_set_named_property(env, its, "memory", memory);
    if (status == napi_ok) status = napi_add_finalizer(env, its, instance, collected, NULL, NULL);
    if (status != napi_ok) return status;
    instance->functions++;
    status = napi_set_named_property(env, object, kernel->exports[i].name, its);
    if (status != napi_ok) return status;
  }
  napi_value stage;
  napi_status status = napi_create_uint32(env, kernel->stage, &stage);
  return status == napi_ok ? napi_set_named_property(env, object, "stage", stage) : status;
}

/* (kernel, lanes, memory): its functions over a memory, which has to have the kernel's size. Undefined where this machine can't run them. */
static napi_value create(napi_env env, napi_callback_info info) {
  size_t count = 3, length = 0;
  napi_value values[3], object;
  uint32_t number, lanes;
  void *bytes;
  napi_typedarray_type type;
  struct environment *environment;
  TRY(napi_get_cb_info(env, info, &count, values, NULL, NULL));
  TRY(napi_get_instance_data(env, (void **)&environment));
  TRY(napi_get_value_uint32(env, values[0], &number));
  TRY(napi_get_value_uint32(env, values[1], &lanes));
  TRY(napi_get_typedarray_info(env, values[2], &type, &length, &bytes, NULL, NULL));
  const struct width *width = NULL;
  for (uint32_t i = 0; i < environment->width_count; i++)
    if (environment->widths[i].lanes == lanes) width = &environment->widths[i];
  if (number >= KERNEL_COUNT || !width || type != napi_uint8_array || length < (size_t)width->kernels[number].pages << 16) {
    napi_throw_range_error(env, NULL, "no kernel of that number, width and memory");
    return NULL;
  }
  const struct kernel *kernel = &width->kernels[number];
  if (kernel->count == 0 || (kernel->aes && !width->aes)) return NULL;
  struct instance *instance = calloc(1, sizeof *instance);
  if (!instance) return failed(env);
  instance->memory = (struct memory){.bytes = bytes, .length = length, .stage = kernel->stage};
  if (napi_create_object(env, &object) != napi_ok || make_functions(env, instance, kernel, values[2], object) != napi_ok) {
    /* Functions that were made end it. */
    if (instance->functions == 0) discard(instance);
    return failed(env);
  }
  return object;
}

static void end(napi_env env, void *data, void *hint) {
  (void)env, (void)hint;
  free(data);
}

static napi_status define(napi_env env, napi_value exports, const char *name, napi_callback callback) {
  napi_value value;
  const napi_status status = napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, NULL, &value);
  return status == napi_ok ? napi_set_named_property(env, exports, name, value) : status;
}

/* The widths of this machine, as pairs of lanes and the name of their instructions. */
static napi_status define_widths(napi_env env, napi_value exports, const struct environment *environment) {
  napi_value list, value;
  napi_status status = napi_create_array(env, &list);
  for (uint32_t i = 0; status == napi_ok && i < environment->width_count; i++) {
    status = napi_create_uint32(env, environment->widths[i].lanes, &value);
    if (status == napi_ok) status = napi_set_element(env, list, 2 * i, value);
    if (status == napi_ok) status = napi_create_string_utf8(env, environment->widths[i].instructions, NAPI_AUTO_LENGTH, &value);
    if (status == napi_ok) status = napi_set_element(env, list, 2 * i + 1, value);
  }
  return status == napi_ok ? napi_set_named_property(env, exports, "widths", list) : status;
}

int32_t node_api_module_get_api_version_v1(void) { return 8; }

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  struct environment *environment = calloc(1, sizeof *environment);
  if (!environment) return failed(env);
  environment->width_count = widths_of_machine(environment->widths);
  TRY(napi_set_instance_data(env, environment, end, NULL));
  TRY(define_widths(env, exports, environment));
  TRY(define(env, exports, "find", find));
  TRY(define(env, exports, "create", create));
  return exports;
}
