/*
 * bare_token MODULE LABEL PIN-FILE KEY-ID MECHANISM BYTES THREADS SETTLE-MS MS
 *
 * Signatures in a loop with nothing between the loop and the token: so many threads with a session each, C_SignInit and
 * C_Sign over BYTES bytes that are never the same twice. KEY-ID is hexadecimal, MECHANISM a number. Prints
 *
 *   count N        signatures that ended in the measured time
 *   nanos N        of that time
 *   cpu N          nanoseconds of processor that this process used meanwhile
 *   sum N, max N   nanoseconds that the signatures took
 *   INDEX N        a line for each bucket of durations that is not empty, as Durations.java has them
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <p11-kit/pkcs11.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MAX = 256, BYTES_MAX = 4096, SIGNATURE_MAX = 1024, SUB_BITS = 6, BUCKETS = 64 << SUB_BITS };

struct worker {
  pthread_t thread;
  CK_SESSION_HANDLE session;
  CK_OBJECT_HANDLE key;
  uint64_t number, count, sum, max;
  uint64_t buckets[BUCKETS];
};

static CK_FUNCTION_LIST *token;
static CK_MECHANISM_TYPE mechanism_type;
static CK_ULONG bytes;
static int64_t from, until;
static pthread_barrier_t barrier;
static struct worker workers[THREADS_MAX];

static int64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void die(const char *what, unsigned long code) {
  fprintf(stderr, "bare_token: %s: 0x%lx\n", what, code);
  exit(1);
}

static void must(const char *what, CK_RV rv) {
  if (rv != CKR_OK) {
    die(what, rv);
  }
}

/* Exact below 2^SUB_BITS, then so many buckets for each power of two: within 1.6 %. */
static int bucket(uint64_t nanos) {
  if (nanos < 1 << SUB_BITS) {
    return (int)nanos;
  }
  int shift = 63 - SUB_BITS - __builtin_clzll(nanos);
  return ((shift + 1) << SUB_BITS) + (int)((nanos >> shift) & ((1 << SUB_BITS) - 1));
}

static void *work(void *argument) {
  struct worker *worker = argument;
  CK_BYTE data[BYTES_MAX];
  CK_BYTE signature[SIGNATURE_MAX];
  memset(data, 0x5a, sizeof data);
  memcpy(data, &worker->number, sizeof worker->number);
  pthread_barrier_wait(&barrier);
  for (uint64_t turn = 0;; turn++) {
    memcpy(data + sizeof turn, &turn, sizeof turn);
    CK_MECHANISM mechanism = {mechanism_type, NULL, 0};
    CK_ULONG length = sizeof signature;
    int64_t began = now(CLOCK_MONOTONIC);
    must("C_SignInit", token->C_SignInit(worker->session, &mechanism, worker->key));
    must("C_Sign", token->C_Sign(worker->session, data, bytes, signature, &length));
    int64_t ended = now(CLOCK_MONOTONIC);
    if (ended >= until) {
      return NULL;
    }
    if (ended >= from) {
      uint64_t nanos = (uint64_t)(ended - began);
      worker->count++;
      worker->sum += nanos;
      worker->max = nanos > worker->max ? nanos : worker->max;
      worker->buckets[bucket(nanos)]++;
    }
  }
}

static void load(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  CK_C_GetFunctionList list = NULL;
  if (library != NULL) {
    *(void **)&list = dlsym(library, "C_GetFunctionList");
  }
  if (list == NULL) {
    fprintf(stderr, "bare_token: %s\n", dlerror());
    exit(1);
  }
  CK_C_INITIALIZE_ARGS arguments = {.flags = CKF_OS_LOCKING_OK};
  must("C_GetFunctionList", list(&token));
  must("C_Initialize", token->C_Initialize(&arguments));
}

static CK_SLOT_ID slot_of(const char *label) {
  CK_SLOT_ID slots[64];
  CK_ULONG count = 64;
  must("C_GetSlotList", token->C_GetSlotList(CK_TRUE, slots, &count));
  for (CK_ULONG i = 0; i < count; i++) {
    CK_TOKEN_INFO info;
    size_t length = strlen(label);
    must("C_GetTokenInfo", token->C_GetTokenInfo(slots[i], &info));
    if (length <= sizeof info.label && memcmp(info.label, label, length) == 0 &&
        (length == sizeof info.label || info.label[length] == ' ')) {
      return slots[i];
    }
  }
  die("no token of this label among", count);
  return 0;
}

static void login(CK_SESSION_HANDLE session, const char *path) {
  char pin[128] = "";
  FILE *file = fopen(path, "r");
  if (file == NULL || fgets(pin, sizeof pin, file) == NULL) {
    die("cannot read the PIN", 0);
  }
  fclose(file);
  pin[strcspn(pin, "\n")] = '\0';
  must("C_Login", token->C_Login(session, CKU_USER, (CK_BYTE *)pin, strlen(pin)));
}

static CK_OBJECT_HANDLE find(CK_SESSION_HANDLE session, const char *hex) {
  CK_BYTE id[64];
  CK_ULONG length = 0;
  for (; hex[0] != '\0' && hex[1] != '\0' && length < sizeof id; hex += 2) {
    char digits[3] = {hex[0], hex[1], '\0'};
    id[length++] = (CK_BYTE)strtoul(digits, NULL, 16);
  }
  CK_OBJECT_CLASS class = CKO_PRIVATE_KEY;
  CK_ATTRIBUTE template[] = {{CKA_CLASS, &class, sizeof class}, {CKA_ID, id, length}};
  CK_OBJECT_HANDLE key = 0;
  CK_ULONG count = 0;
  must("C_FindObjectsInit", token->C_FindObjectsInit(session, template, 2));
  must("C_FindObjects", token->C_FindObjects(session, &key, 1, &count));
  must("C_FindObjectsFinal", token->C_FindObjectsFinal(session));
  if (count != 1) {
    die("keys with this CKA_ID", count);
  }
  return key;
}

static int64_t processor(void) { return now(CLOCK_PROCESS_CPUTIME_ID); }

static void sleep_until(int64_t time) {
  struct timespec at = {.tv_sec = time / 1000000000LL, .tv_nsec = time % 1000000000LL};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0) {
  }
}

static void print(int threads, int64_t cpu) {
  static struct worker all;
  for (int i = 0; i < threads; i++) {
    all.count += workers[i].count;
    all.sum += workers[i].sum;
    all.max = workers[i].max > all.max ? workers[i].max : all.max;
    for (int b = 0; b < BUCKETS; b++) {
      all.buckets[b] += workers[i].buckets[b];
    }
  }
  printf("count %lu\nnanos %ld\ncpu %ld\nsum %lu\nmax %lu\n", all.count, until - from, cpu, all.sum, all.max);
  for (int b = 0; b < BUCKETS; b++) {
    if (all.buckets[b] > 0) {
      printf("%d %lu\n", b, all.buckets[b]);
    }
  }
}

int main(int count, char **arguments) {
  int threads = count == 10 ? atoi(arguments[7]) : 0;
  bytes = count == 10 ? strtoul(arguments[6], NULL, 10) : 0;
  if (threads < 1 || threads > THREADS_MAX || bytes < 16 || bytes > BYTES_MAX) {
    fprintf(stderr, "bare_token MODULE LABEL PIN-FILE KEY-ID MECHANISM BYTES THREADS SETTLE-MS MS\n");
    return 2;
  }
  mechanism_type = strtoul(arguments[5], NULL, 0);
  /* SoftHSM fails in processes that begin at a time. */
  int lock = open(arguments[3], O_RDONLY | O_CLOEXEC);
  flock(lock, LOCK_EX);
  load(arguments[1]);
  CK_SLOT_ID slot = slot_of(arguments[2]);
  for (int i = 0; i < threads; i++) {
    must("C_OpenSession", token->C_OpenSession(slot, CKF_SERIAL_SESSION, NULL, NULL, &workers[i].session));
    if (i == 0) {
      login(workers[0].session, arguments[3]);
    }
    workers[i].key = find(workers[i].session, arguments[4]);
    workers[i].number = (uint64_t)i;
  }
  close(lock);
  pthread_barrier_init(&barrier, NULL, (unsigned)threads + 1);
  for (int i = 0; i < threads; i++) {
    pthread_create(&workers[i].thread, NULL, work, &workers[i]);
  }
  from = now(CLOCK_MONOTONIC) + atoll(arguments[8]) * 1000000LL;
  until = from + atoll(arguments[9]) * 1000000LL;
  pthread_barrier_wait(&barrier);
  sleep_until(from);
  int64_t before = processor();
  sleep_until(until);
  int64_t cpu = processor() - before;
  for (int i = 0; i < threads; i++) {
    pthread_join(workers[i].thread, NULL);
  }
  print(threads, cpu);
  must("C_Finalize", token->C_Finalize(NULL));
  return 0;
}
