/*
 * caller keys                      makes an RSA-2048 and a P-256 key pair
 * caller rsa BITS                  makes one more RSA key pair, `rsa-BITS`
 * caller steps                     does what standard input says, a word a line, and answers each line
 * caller load KEY THREADS FROM TO  signs until TO; counts what ended between FROM and TO
 * caller burst KEY THREADS ROUNDS  one signature a thread, all at once, so many times
 * caller forget LABEL ID…          destroys all with these CKA_IDs in the token with this label; prints how many of each
 * caller clock                     the monotonic clock in nanoseconds
 *
 * CALLER_MODULE, CALLER_PIN and CALLER_LOCK (a file: SoftHSM cannot log in many processes at a time).
 */
#include "caller.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "profile.h"

CK_FUNCTION_LIST *hsm;

int64_t clock_nanos(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

const char *name_of(CK_RV rv) {
  static _Thread_local char buffer[24];
  return ckr_name(rv, buffer);
}

void must(const char *what, CK_RV rv) {
  if (rv != CKR_OK) {
    fprintf(stderr, "caller: %s: %s\n", what, name_of(rv));
    exit(1);
  }
}

static const char *setting(const char *name) {
  const char *value = getenv(name);
  if (value == NULL) {
    fprintf(stderr, "caller: %s is not set\n", name);
    exit(2);
  }
  return value;
}

static void load_module(void) {
  void *library = dlopen(setting("CALLER_MODULE"), RTLD_NOW);
  CK_C_GetFunctionList get = NULL;
  if (library != NULL) {
    *(void **)&get = dlsym(library, "C_GetFunctionList");
  }
  if (get == NULL) {
    fprintf(stderr, "caller: %s\n", dlerror());
    exit(1);
  }
  must("C_GetFunctionList", get(&hsm));
}

CK_RV initialize(void) {
  CK_C_INITIALIZE_ARGS arguments = {.flags = CKF_OS_LOCKING_OK};
  return hsm->C_Initialize(&arguments);
}

CK_RV open_session(CK_SESSION_HANDLE *session) {
  CK_SLOT_ID slots[16];
  CK_ULONG count = 16;
  CK_RV rv = hsm->C_GetSlotList(CK_FALSE, slots, &count);
  return rv != CKR_OK ? rv : hsm->C_OpenSession(slots[0], CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, session);
}

CK_RV login(CK_SESSION_HANDLE session) {
  const char *pin = setting("CALLER_PIN");
  return hsm->C_Login(session, CKU_USER, (CK_BYTE *)pin, strlen(pin));
}

/* One process after the other: many that begin at a time fail in SoftHSM. */
void begin(CK_SESSION_HANDLE *session) {
  int lock = open(setting("CALLER_LOCK"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  flock(lock, LOCK_EX);
  must("C_Initialize", initialize());
  must("C_OpenSession", open_session(session));
  must("C_Login", login(*session));
  close(lock);
}

static CK_RV find_one(CK_SESSION_HANDLE session, const char *label, CK_OBJECT_CLASS class, CK_OBJECT_HANDLE *found) {
  CK_ATTRIBUTE template[] = {{CKA_CLASS, &class, sizeof class}, {CKA_LABEL, (void *)label, strlen(label)}};
  CK_ULONG count = 0;
  CK_RV rv = hsm->C_FindObjectsInit(session, template, 2);
  if (rv == CKR_OK) {
    rv = hsm->C_FindObjects(session, found, 1, &count);
    hsm->C_FindObjectsFinal(session);
  }
  return rv == CKR_OK && count == 0 ? CKR_OBJECT_HANDLE_INVALID : rv;
}

CK_RV find_key(CK_SESSION_HANDLE session, const char *label, struct key *key) {
  key->mechanism = strncmp(label, "rsa", 3) == 0 ? CKM_SHA256_RSA_PKCS : CKM_ECDSA;
  CK_RV rv = find_one(session, label, CKO_PRIVATE_KEY, &key->private_key);
  return rv != CKR_OK ? rv : find_one(session, label, CKO_PUBLIC_KEY, &key->public_key);
}

CK_RV sign(CK_SESSION_HANDLE session, const struct key *key, CK_BYTE *data, CK_BYTE *signature, CK_ULONG *length) {
  CK_MECHANISM mechanism = {key->mechanism, NULL, 0};
  CK_RV rv = hsm->C_SignInit(session, &mechanism, key->private_key);
  return rv != CKR_OK ? rv : hsm->C_Sign(session, data, DATA_BYTES, signature, length);
}

CK_RV verify(CK_SESSION_HANDLE session, const struct key *key, CK_BYTE *data, CK_BYTE *signature, CK_ULONG length) {
  CK_MECHANISM mechanism = {key->mechanism, NULL, 0};
  CK_RV rv = hsm->C_VerifyInit(session, &mechanism, key->public_key);
  return rv != CKR_OK ? rv : hsm->C_Verify(session, data, DATA_BYTES, signature, length);
}

static void make_pair(CK_SESSION_HANDLE session, const char *label, CK_MECHANISM_TYPE type, CK_ATTRIBUTE parameter) {
  CK_BBOOL yes = CK_TRUE;
  CK_MECHANISM mechanism = {type, NULL, 0};
  CK_ATTRIBUTE public_template[] = {
      {CKA_TOKEN, &yes, 1}, {CKA_VERIFY, &yes, 1}, {CKA_LABEL, (void *)label, strlen(label)}, parameter};
  CK_ATTRIBUTE private_template[] = {
      {CKA_TOKEN, &yes, 1}, {CKA_SIGN, &yes, 1}, {CKA_SENSITIVE, &yes, 1}, {CKA_LABEL, (void *)label, strlen(label)}};
  CK_OBJECT_HANDLE public_key;
  CK_OBJECT_HANDLE private_key;
  must("C_GenerateKeyPair",
       hsm->C_GenerateKeyPair(session, &mechanism, public_template, 4, private_template, 4, &public_key, &private_key));
}

static void make_rsa(CK_SESSION_HANDLE session, const char *label, CK_ULONG bits) {
  make_pair(session, label, CKM_RSA_PKCS_KEY_PAIR_GEN, (CK_ATTRIBUTE){CKA_MODULUS_BITS, &bits, sizeof bits});
}

static int one_more_rsa(const char *bits) {
  CK_SESSION_HANDLE session;
  char label[32];
  snprintf(label, sizeof label, "rsa-%s", bits);
  begin(&session);
  make_rsa(session, label, strtoul(bits, NULL, 10));
  must("C_Finalize", hsm->C_Finalize(NULL));
  return 0;
}

static int keys(void) {
  CK_SESSION_HANDLE session;
  CK_BYTE p256[] = {0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07};
  begin(&session);
  make_rsa(session, "rsa", 2048);
  make_pair(session, "ec", CKM_EC_KEY_PAIR_GEN, (CK_ATTRIBUTE){CKA_EC_PARAMS, p256, sizeof p256});
  must("C_Finalize", hsm->C_Finalize(NULL));
  return 0;
}

/* What the steps share: the last session and the key found with it. */
struct steps {
  CK_SESSION_HANDLE session;
  struct key key;
  CK_BYTE data[DATA_BYTES], signature[512];
  CK_ULONG length;
};

static CK_RV sign_in_parts(struct steps *steps) {
  CK_MECHANISM mechanism = {steps->key.mechanism, NULL, 0};
  CK_RV rv = hsm->C_SignInit(steps->session, &mechanism, steps->key.private_key);
  rv = rv != CKR_OK ? rv : hsm->C_SignUpdate(steps->session, steps->data, 10);
  rv = rv != CKR_OK ? rv : hsm->C_SignUpdate(steps->session, steps->data + 10, DATA_BYTES - 10);
  return rv != CKR_OK ? rv : hsm->C_SignFinal(steps->session, steps->signature, &steps->length);
}

/* The length query and a short buffer leave the operation standing; both need no HSM. */
static CK_RV sign_by_length(struct steps *steps) {
  CK_MECHANISM mechanism = {steps->key.mechanism, NULL, 0};
  CK_RV rv = hsm->C_SignInit(steps->session, &mechanism, steps->key.private_key);
  rv = rv != CKR_OK ? rv : hsm->C_Sign(steps->session, steps->data, DATA_BYTES, NULL, &steps->length);
  steps->length--;
  CK_RV small = hsm->C_Sign(steps->session, steps->data, DATA_BYTES, steps->signature, &steps->length);
  if (rv == CKR_OK && small != CKR_BUFFER_TOO_SMALL) {
    return CKR_GENERAL_ERROR;
  }
  return rv != CKR_OK ? rv : hsm->C_Sign(steps->session, steps->data, DATA_BYTES, steps->signature, &steps->length);
}

/* A child of a fork has no module. */
static CK_RV initialized_in_child(void) {
  pid_t child = fork();
  if (child == 0) {
    CK_INFO info;
    _exit(hsm->C_GetInfo(&info) == CKR_CRYPTOKI_NOT_INITIALIZED ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0 ? CKR_CRYPTOKI_NOT_INITIALIZED : CKR_OK;
}

static CK_RV step(struct steps *steps, const char *word, char *more) {
  CK_ULONG count = 0;
  CK_SLOT_ID slots[16];
  CK_TOKEN_INFO token;
  steps->length = sizeof steps->signature;
  if (strcmp(word, "initialize") == 0) {
    return initialize();
  } else if (strcmp(word, "finalize") == 0) {
    return hsm->C_Finalize(NULL);
  } else if (strcmp(word, "open") == 0) {
    return open_session(&steps->session);
  } else if (strcmp(word, "close") == 0) {
    return hsm->C_CloseSession(steps->session);
  } else if (strcmp(word, "login") == 0) {
    return login(steps->session);
  } else if (strncmp(word, "rsa", 3) == 0 || strcmp(word, "ec") == 0) {
    return find_key(steps->session, word, &steps->key);
  } else if (strcmp(word, "sign") == 0) {
    return sign(steps->session, &steps->key, steps->data, steps->signature, &steps->length);
  } else if (strcmp(word, "sign-parts") == 0) {
    return sign_in_parts(steps);
  } else if (strcmp(word, "sign-by-length") == 0) {
    return sign_by_length(steps);
  } else if (strcmp(word, "token") == 0) {
    count = 16;
    CK_RV rv = hsm->C_GetSlotList(CK_FALSE, slots, &count);
    return rv != CKR_OK ? rv : hsm->C_GetTokenInfo(slots[0], &token);
  } else if (strcmp(word, "slots") == 0) {
    count = 16;
    CK_RV rv = hsm->C_GetSlotList(CK_TRUE, slots, &count);
    sprintf(more, " %lu", count);
    return rv;
  } else if (strcmp(word, "fork") == 0) {
    return initialized_in_child();
  } else if (strcmp(word, "open-all") == 0) {
    CK_RV rv;
    while ((rv = open_session(&steps->session)) == CKR_OK) {
      count++;
    }
    sprintf(more, " %lu", count);
    return rv;
  }
  fprintf(stderr, "caller: no such step: %s\n", word);
  exit(2);
}

/* Answers: CKR milliseconds [count] [verification of the signature]. */
static int take_steps(void) {
  struct steps steps = {.session = 0};
  char line[64];
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    char more[64] = "";
    int64_t began = clock_nanos();
    CK_RV rv = step(&steps, line, more);
    int64_t ended = clock_nanos();
    printf("%s %.1f%s", name_of(rv), (double)(ended - began) / 1e6, more);
    if (rv == CKR_OK && strncmp(line, "sign", 4) == 0) {
      printf(" %s", name_of(verify(steps.session, &steps.key, steps.data, steps.signature, steps.length)));
    }
    printf("\n");
    fflush(stdout);
  }
  return 0;
}

int main(int count, char **arguments) {
  const char *command = count > 1 ? arguments[1] : "";
  if (strcmp(command, "clock") == 0) {
    printf("%lld\n", (long long)clock_nanos());
    return 0;
  }
  load_module();
  if (strcmp(command, "keys") == 0) {
    return keys();
  } else if (strcmp(command, "rsa") == 0 && count == 3) {
    return one_more_rsa(arguments[2]);
  } else if (strcmp(command, "steps") == 0) {
    return take_steps();
  } else if (strcmp(command, "load") == 0) {
    return load(count - 2, arguments + 2);
  } else if (strcmp(command, "burst") == 0) {
    return burst(count - 2, arguments + 2);
  } else if (strcmp(command, "forget") == 0) {
    return forget(count - 2, arguments + 2);
  }
  fprintf(stderr, "caller: keys, rsa BITS, steps, load, burst, forget or clock\n");
  return 2;
}
