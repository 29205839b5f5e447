/*
 * A PKCS#11 module that forwards to another one and misbehaves while files exist. For tests only.
 * Built by: cc -shared -fPIC -DFAULT_REAL='"MODULE"' -DFAULT_DIR='"DIR"' -o fault_pkcs11.so fault_pkcs11.c -ldl
 *
 * DIR/crash       the first process that removes it writes through a null pointer inside C_Sign
 * DIR/crash-load  C_Initialize does
 * DIR/hang        C_Sign does not return while it exists; each thread that waits makes DIR/hung.THREAD
 * DIR/hang-load   C_Initialize does not
 * DIR/hang-end    the library's destructor does not
 * DIR/print       C_Sign prints 10,000 lines, some of them long or not text, on both outputs
 * DIR/fake        read by C_Initialize: C_SignInit and C_Sign cost nothing and make no signature
 *
 * The few declarations of PKCS#11 v2.40 that it needs are here, so that no header is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef unsigned long CK_ULONG;
typedef CK_ULONG CK_RV;

#define CKR_OK 0UL
#define CKR_GENERAL_ERROR 5UL
#define CKR_BUFFER_TOO_SMALL 0x150UL

/* CK_FUNCTION_LIST: a version, then 68 function pointers in the order of pkcs11f.h. */
#define FUNCTIONS 68
#define C_INITIALIZE 0
#define C_GETFUNCTIONLIST 3
#define C_SIGNINIT 42
#define C_SIGN 43

/* r || s of P-256. */
#define FAKE_LENGTH 64

struct function_list {
  unsigned char major, minor;
  void *function[FUNCTIONS];
};

typedef CK_RV (*get_function_list)(struct function_list **);
typedef CK_RV (*initialize_function)(void *);
typedef CK_RV (*sign_init_function)(CK_ULONG, void *, CK_ULONG);
typedef CK_RV (*sign_function)(CK_ULONG, unsigned char *, CK_ULONG, unsigned char *, CK_ULONG *);

static struct function_list list;
static initialize_function real_initialize;
static sign_init_function real_sign_init;
static sign_function real_sign;
static int fake;

static int told(const char *file) { return access(file, F_OK) == 0; }

static void wait_while(const char *file) {
  while (told(file)) {
    usleep(2000);
  }
}

static void hang(void) {
  char name[sizeof FAULT_DIR + 32];
  snprintf(name, sizeof name, "%s/hung.%d", FAULT_DIR, gettid());
  int file = open(name, O_CREAT | O_WRONLY, 0600);
  if (file >= 0) {
    close(file);
  }
  wait_while(FAULT_DIR "/hang");
}

/* A variable, and volatile: a compiler that knows the pointer leaves the crash out. */
static int *volatile nowhere;

static void crash(void) { *nowhere = 1; }

static void print(void) {
  static char line[4000];
  memset(line, 'x', sizeof line - 1);
  for (int i = 0; i < 10000; i++) {
    fprintf(i % 2 == 0 ? stdout : stderr, "line %d of the library\n", i);
    if (i % 1000 == 0) {
      fprintf(stderr, "%s\n\001\033[31m\377\n", line);
    }
  }
  fflush(stdout);
}

static CK_RV initialize(void *arguments) {
  if (told(FAULT_DIR "/crash-load")) {
    crash();
  }
  wait_while(FAULT_DIR "/hang-load");
  fake = told(FAULT_DIR "/fake");
  return real_initialize(arguments);
}

static CK_RV sign_init(CK_ULONG session, void *mechanism, CK_ULONG key) {
  return fake ? CKR_OK : real_sign_init(session, mechanism, key);
}

static CK_RV sign(CK_ULONG session, unsigned char *data, CK_ULONG length, unsigned char *signature,
                  CK_ULONG *signature_length) {
  if (fake) {
    if (signature != NULL && *signature_length < FAKE_LENGTH) {
      return CKR_BUFFER_TOO_SMALL;
    }
    *signature_length = FAKE_LENGTH;
    return CKR_OK;
  }
  if (told(FAULT_DIR "/hang")) {
    hang();
  }
  if (told(FAULT_DIR "/crash") && unlink(FAULT_DIR "/crash") == 0) {
    crash();
  }
  if (told(FAULT_DIR "/print")) {
    print();
  }
  return real_sign(session, data, length, signature, signature_length);
}

__attribute__((destructor)) static void end(void) { wait_while(FAULT_DIR "/hang-end"); }

CK_RV C_GetFunctionList(struct function_list **out) {
  if (real_sign == NULL) {
    void *library = dlopen(FAULT_REAL, RTLD_NOW | RTLD_LOCAL);
    struct function_list *real = NULL;
    get_function_list get = NULL;
    if (library != NULL) {
      get = (get_function_list)dlsym(library, "C_GetFunctionList");
    }
    if (get == NULL || get(&real) != CKR_OK) {
      fprintf(stderr, "fault_pkcs11: cannot use %s: %s\n", FAULT_REAL, dlerror());
      return CKR_GENERAL_ERROR;
    }
    memcpy(&list, real, sizeof list);
    real_initialize = (initialize_function)real->function[C_INITIALIZE];
    real_sign_init = (sign_init_function)real->function[C_SIGNINIT];
    real_sign = (sign_function)real->function[C_SIGN];
    list.function[C_GETFUNCTIONLIST] = (void *)C_GetFunctionList;
    list.function[C_INITIALIZE] = (void *)initialize;
    list.function[C_SIGNINIT] = (void *)sign_init;
    list.function[C_SIGN] = (void *)sign;
  }
  *out = &list;
  return CKR_OK;
}
