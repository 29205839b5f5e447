/* C_Initialize, C_Finalize: the backing module, the shared state, and this process's place in it. */
#include "module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "queue.h"

/* C_Finalize waits so long for threads that wait for the HSM, whose jobs it has ended. */
#define FINALIZE_NANOS (5 * NANOS_PER_SECOND)

struct module module = {
    .gate = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP,
    .table = PTHREAD_MUTEX_INITIALIZER,
    .attachment = {.fd = -1, .process = -1},
};

/* A child has its parent's memory and its parent's place, and may use neither. */
static void forbid_child(void) {
  module.initialized = false;
  if (module.attachment.fd >= 0) {
    close(module.attachment.fd);
    module.attachment.fd = -1;
  }
}

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, forbid_child); }

/*
 * The line NAME=VALUE of the file beside this library, libnethsm.so.conf for libnethsm.so; NULL when there is none.
 * Environment variables are the process's: of two devices in one process each is a copy of the library with its file.
 */
static char *setting_beside(const char *name) {
  static char value[PATH_MAX];
  char file[PATH_MAX], line[PATH_MAX + 64];
  Dl_info library;
  if (dladdr((void *)setting_beside, &library) == 0 ||
      snprintf(file, sizeof file, "%s.conf", library.dli_fname) >= (int)sizeof file) {
    return NULL;
  }
  FILE *lines = fopen(file, "re");
  if (lines == NULL) {
    return NULL;
  }
  char *found = NULL;
  size_t length = strlen(name);
  while (found == NULL && fgets(line, sizeof line, lines) != NULL) {
    line[strcspn(line, "\r\n")] = '\0';
    if (strncmp(line, name, length) == 0 && line[length] == '=' && strlen(line + length + 1) < sizeof value) {
      found = strcpy(value, line + length + 1);
    }
  }
  fclose(lines);
  return found;
}

static const char *setting(const char *name) {
  const char *value = setting_beside(name);
  if (value == NULL) {
    value = getenv(name);
  }
  if (value == NULL || *value == '\0') {
    fprintf(stderr, "nethsm: %s is not set, neither in the environment nor beside the library\n", name);
    return NULL;
  }
  return value;
}

static bool load_backing(void) {
  const char *path = setting("NETHSM_MODULE");
  if (path == NULL) {
    return false;
  }
  module.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (module.library == NULL) {
    fprintf(stderr, "nethsm: NETHSM_MODULE: %s\n", dlerror());
    return false;
  }
  CK_C_GetFunctionList get;
  *(void **)&get = dlsym(module.library, "C_GetFunctionList");
  if (get == NULL || get(&module.backing) != CKR_OK || module.backing == NULL ||
      module.backing->C_GetFunctionList == C_GetFunctionList) {
    fprintf(stderr, "nethsm: NETHSM_MODULE: %s is not a PKCS#11 module to forward to\n", path);
    dlclose(module.library);
    module.backing = NULL;
    return false;
  }
  return true;
}

static bool attach(void) {
  const char *file = setting("NETHSM_STATE");
  if (file == NULL || !state_attach(file, &module.attachment)) {
    return false;
  }
  state_lock(&module.attachment);
  bool placed = state_take_place(&module.attachment);
  module.epoch = module.attachment.state->sessions_epoch;
  state_unlock(&module.attachment);
  if (!placed) {
    fprintf(stderr, "nethsm: %s: %d processes use it, no more can\n", file, PROCESSES_MAX);
    state_detach(&module.attachment);
  }
  return placed;
}

/* With the state locked or not; threads that still wait keep the mapping, which is then left behind. */
static void give_place_back(void) {
  struct attachment *attachment = &module.attachment;
  state_lock(attachment);
  struct process *process = &attachment->state->processes[attachment->process];
  queue_fail(attachment->state, attachment->process, CKR_CRYPTOKI_NOT_INITIALIZED, now_nanos());
  attachment->state->sessions -= process->sessions;
  state_unlock(attachment);
  int64_t deadline = now_nanos() + FINALIZE_NANOS;
  while (__atomic_load_n(&module.inside, __ATOMIC_ACQUIRE) > 0 && now_nanos() < deadline) {
    sleep_until(now_nanos() + NANOS_PER_MILLI);
  }
  state_lock(attachment);
  *process = (struct process){.used = false};
  state_unlock(attachment);
  if (__atomic_load_n(&module.inside, __ATOMIC_ACQUIRE) == 0) {
    state_detach(attachment);
  }
}

/* PKCS#11 v2.40, 5.4: mutexes of the caller's own are not taken, as they could not be shared. */
static CK_RV check_arguments(const CK_C_INITIALIZE_ARGS *arguments) {
  if (arguments == NULL) {
    return CKR_OK;
  }
  int given = (arguments->CreateMutex != NULL) + (arguments->DestroyMutex != NULL) +
              (arguments->LockMutex != NULL) + (arguments->UnlockMutex != NULL);
  if (given != 0 && given != 4) {
    return CKR_ARGUMENTS_BAD;
  }
  return given == 4 && (arguments->flags & CKF_OS_LOCKING_OK) == 0 ? CKR_CANT_LOCK : CKR_OK;
}

static CK_RV initialize(const CK_C_INITIALIZE_ARGS *arguments) {
  if (!attach()) {
    return CKR_GENERAL_ERROR;
  }
  if (!load_backing()) {
    give_place_back();
    return CKR_GENERAL_ERROR;
  }
  CK_C_INITIALIZE_ARGS backing = {.flags = CKF_OS_LOCKING_OK};
  if (arguments != NULL) {
    backing.flags |= arguments->flags;
    backing.pReserved = arguments->pReserved;
  }
  CK_RV rv = module.backing->C_Initialize(&backing);
  if (rv != CKR_OK) {
    char buffer[24];
    fprintf(stderr, "nethsm: NETHSM_MODULE: C_Initialize answers %s\n", ckr_name(rv, buffer));
    dlclose(module.library);
    module.backing = NULL;
    give_place_back();
    return rv;
  }
  module.initialized = true;
  return CKR_OK;
}

CK_RV C_Initialize(void *init_args) {
  CK_RV rv = check_arguments(init_args);
  if (rv != CKR_OK) {
    return rv;
  }
  pthread_rwlock_wrlock(&module.gate);
  /* Neither while C_Finalize waits for threads. */
  rv = module.backing != NULL ? CKR_CRYPTOKI_ALREADY_INITIALIZED : initialize(init_args);
  pthread_rwlock_unlock(&module.gate);
  return rv;
}

CK_RV C_Finalize(void *reserved) {
  if (reserved != NULL) {
    return CKR_ARGUMENTS_BAD;
  }
  pthread_rwlock_wrlock(&module.gate);
  CK_RV rv = CKR_CRYPTOKI_NOT_INITIALIZED;
  if (module.initialized) {
    module.initialized = false;
    /* Waiting threads must be able to come back, and to find that all is over. */
    pthread_rwlock_unlock(&module.gate);
    give_place_back();
    pthread_rwlock_wrlock(&module.gate);
    pthread_mutex_lock(&module.table);
    memset(module.sessions, 0, sizeof module.sessions);
    key_forget_all();
    pthread_mutex_unlock(&module.table);
    rv = module.backing->C_Finalize(NULL);
    /* It stays loaded: modules with threads or exit handlers of their own do not survive to be unloaded. */
    module.backing = NULL;
  }
  pthread_rwlock_unlock(&module.gate);
  return rv;
}

CK_RV module_enter(void) {
  pthread_rwlock_rdlock(&module.gate);
  if (!module.initialized) {
    pthread_rwlock_unlock(&module.gate);
    return CKR_CRYPTOKI_NOT_INITIALIZED;
  }
  return CKR_OK;
}

void module_leave(void) { pthread_rwlock_unlock(&module.gate); }

bool module_is_removed(void) {
  return __atomic_load_n(&module.attachment.state->faults.removed, __ATOMIC_ACQUIRE) != 0;
}
