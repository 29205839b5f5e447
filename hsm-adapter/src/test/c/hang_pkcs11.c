/*
 * A PKCS#11 module that forwards to another one, whose C_Sign hangs while a file exists, and which
 * kills its process before or after a C_Sign when another file does.
 * For tests only. Built by: cc -shared -fPIC -o hang_pkcs11.so hang_pkcs11.c -ldl
 *
 * HANG_PKCS11_REAL  the module to forward to     (or -DHANG_PKCS11_REAL='"..."' at build time)
 * HANG_PKCS11_FILE  C_Sign waits while it exists (or -DHANG_PKCS11_FILE='"..."')
 * KILL_PKCS11_BEFORE, KILL_PKCS11_AFTER
 *                   the first process that removes this file ends itself by SIGKILL before, or
 *                   after, the token has signed
 *
 * The few declarations of PKCS#11 v2.40 that it needs are here, so that no header is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef HANG_PKCS11_REAL
#define HANG_PKCS11_REAL ""
#endif
#ifndef HANG_PKCS11_FILE
#define HANG_PKCS11_FILE ""
#endif

typedef unsigned long CK_ULONG;
typedef CK_ULONG CK_RV;

#define CKR_OK 0UL
#define CKR_GENERAL_ERROR 5UL

/* CK_FUNCTION_LIST: a version, then 68 function pointers in the order of pkcs11f.h. */
#define FUNCTIONS 68
#define C_GETFUNCTIONLIST 3
#define C_SIGN 43

struct function_list {
  unsigned char major, minor;
  void *function[FUNCTIONS];
};

typedef CK_RV (*get_function_list)(struct function_list **);
typedef CK_RV (*sign_function)(CK_ULONG, unsigned char *, CK_ULONG, unsigned char *, CK_ULONG *);

static struct function_list list;
static sign_function real_sign;

static const char *setting(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value != NULL && *value != '\0' ? value : otherwise;
}

/* Of several processes and threads one removes the file: that one dies. */
static void die_if_told(const char *name) {
  const char *file = setting(name, "");
  if (*file != '\0' && access(file, F_OK) == 0 && unlink(file) == 0) {
    kill(getpid(), SIGKILL);
  }
}

static CK_RV hanging_sign(CK_ULONG session, unsigned char *data, CK_ULONG length,
                          unsigned char *signature, CK_ULONG *signature_length) {
  const char *file = setting("HANG_PKCS11_FILE", HANG_PKCS11_FILE);
  while (access(file, F_OK) == 0) {
    usleep(2000);
  }
  die_if_told("KILL_PKCS11_BEFORE");
  CK_RV rv = real_sign(session, data, length, signature, signature_length);
  die_if_told("KILL_PKCS11_AFTER");
  return rv;
}

CK_RV C_GetFunctionList(struct function_list **out) {
  if (real_sign == NULL) {
    const char *path = setting("HANG_PKCS11_REAL", HANG_PKCS11_REAL);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    struct function_list *real = NULL;
    get_function_list get = NULL;
    if (library != NULL) {
      get = (get_function_list)dlsym(library, "C_GetFunctionList");
    }
    if (get == NULL || get(&real) != CKR_OK) {
      fprintf(stderr, "hang_pkcs11: cannot use %s: %s\n", path, dlerror());
      return CKR_GENERAL_ERROR;
    }
    memcpy(&list, real, sizeof list);
    list.function[C_GETFUNCTIONLIST] = (void *)C_GetFunctionList;
    list.function[C_SIGN] = (void *)hanging_sign;
    real_sign = (sign_function)real->function[C_SIGN];
  }
  *out = &list;
  return CKR_OK;
}
