/* Many threads that sign. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "caller.h"

enum { THREADS_MAX = 256, CODES_MAX = 8, VERIFY_EVERY = 16 };

struct worker {
  pthread_t thread;
  pthread_barrier_t *barrier;
  struct key key;
  int number;
  int rounds; /* 0: until `to` */
  int64_t from, to;
  /* What it counted. */
  unsigned long total, window, verified, wrong;
  struct {
    CK_RV rv;
    unsigned long count;
  } codes[CODES_MAX];
  double refused_min, refused_max; /* milliseconds */
};

static void count_code(struct worker *worker, CK_RV rv) {
  for (int i = 0; i < CODES_MAX; i++) {
    if (worker->codes[i].count == 0 || worker->codes[i].rv == rv) {
      worker->codes[i].rv = rv;
      worker->codes[i].count++;
      return;
    }
  }
}

static void sign_one(struct worker *worker, CK_SESSION_HANDLE session) {
  CK_BYTE data[DATA_BYTES] = {(CK_BYTE)worker->number, (CK_BYTE)worker->total, (CK_BYTE)(worker->total >> 8)};
  CK_BYTE signature[512];
  CK_ULONG length = sizeof signature;
  int64_t began = clock_nanos();
  CK_RV rv = sign(session, &worker->key, data, signature, &length);
  int64_t ended = clock_nanos();
  count_code(worker, rv);
  if (rv == CKR_OK) {
    worker->window += ended >= worker->from && ended < worker->to;
    if (worker->total++ % VERIFY_EVERY == 0) {
      worker->verified++;
      worker->wrong += verify(session, &worker->key, data, signature, length) != CKR_OK;
    }
  } else {
    double millis = (double)(ended - began) / 1e6;
    worker->refused_min = worker->refused_min == 0 || millis < worker->refused_min ? millis : worker->refused_min;
    worker->refused_max = millis > worker->refused_max ? millis : worker->refused_max;
  }
}

static void *work(void *argument) {
  struct worker *worker = argument;
  CK_SESSION_HANDLE session;
  must("C_OpenSession", open_session(&session));
  pthread_barrier_wait(worker->barrier);
  while (worker->rounds == 0 && clock_nanos() < worker->to) {
    sign_one(worker, session);
  }
  for (int i = 0; i < worker->rounds; i++) {
    sign_one(worker, session);
    pthread_barrier_wait(worker->barrier);
  }
  must("C_CloseSession", hsm->C_CloseSession(session));
  return NULL;
}

static void add(struct worker *sum, const struct worker *worker) {
  sum->total += worker->total;
  sum->window += worker->window;
  sum->verified += worker->verified;
  sum->wrong += worker->wrong;
  for (int i = 0; i < CODES_MAX; i++) {
    for (unsigned long n = 0; n < worker->codes[i].count; n++) {
      count_code(sum, worker->codes[i].rv);
    }
  }
  if (worker->refused_max > 0) {
    sum->refused_min =
        sum->refused_min == 0 || worker->refused_min < sum->refused_min ? worker->refused_min : sum->refused_min;
    sum->refused_max = worker->refused_max > sum->refused_max ? worker->refused_max : sum->refused_max;
  }
}

static int run(const char *label, int threads, const struct worker *example) {
  static struct worker workers[THREADS_MAX];
  if (threads < 1 || threads > THREADS_MAX) {
    fprintf(stderr, "caller: 1 to %d threads\n", THREADS_MAX);
    return 2;
  }
  CK_SESSION_HANDLE session;
  struct key key;
  pthread_barrier_t barrier;
  begin(&session);
  must("find_key", find_key(session, label, &key));
  pthread_barrier_init(&barrier, NULL, (unsigned)threads);
  for (int i = 0; i < threads; i++) {
    workers[i] = *example;
    workers[i].barrier = &barrier;
    workers[i].key = key;
    workers[i].number = i;
    pthread_create(&workers[i].thread, NULL, work, &workers[i]);
  }
  struct worker sum = {.total = 0};
  for (int i = 0; i < threads; i++) {
    pthread_join(workers[i].thread, NULL);
    add(&sum, &workers[i]);
  }
  must("C_Finalize", hsm->C_Finalize(NULL));
  printf("total=%lu window=%lu verified=%lu wrong=%lu refused_min=%.1f refused_max=%.1f", sum.total, sum.window,
         sum.verified, sum.wrong, sum.refused_min, sum.refused_max);
  for (int i = 0; i < CODES_MAX && sum.codes[i].count > 0; i++) {
    printf(" %s=%lu", name_of(sum.codes[i].rv), sum.codes[i].count);
  }
  printf("\n");
  return sum.wrong == 0 ? 0 : 1;
}

int load(int count, char **arguments) {
  if (count != 4) {
    fprintf(stderr, "caller: load KEY THREADS FROM TO\n");
    return 2;
  }
  struct worker example = {.from = atoll(arguments[2]), .to = atoll(arguments[3])};
  return run(arguments[0], atoi(arguments[1]), &example);
}

int burst(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "caller: burst KEY THREADS ROUNDS\n");
    return 2;
  }
  struct worker example = {.rounds = atoi(arguments[2])};
  return run(arguments[0], atoi(arguments[1]), &example);
}
