#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "queue.h"

static const char MAGIC[8] = "NETHSM\n";
enum { VERSION = 3 };

/* Bytes behind the state, one a process: who holds the lock of its byte lives. */
#define PLACE_OFFSET ((off_t)1 << 30)

int64_t now_nanos(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * NANOS_PER_SECOND + time.tv_nsec;
}

void sleep_until(int64_t nanos) {
  struct timespec time = {.tv_sec = nanos / NANOS_PER_SECOND, .tv_nsec = nanos % NANOS_PER_SECOND};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
  }
}

/* SplitMix64: a counter and a mixing function, so no lock is needed. */
double state_random(struct state *state) {
  uint64_t x = __atomic_add_fetch(&state->random, 0x9E3779B97F4A7C15ULL, __ATOMIC_RELAXED);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static bool complain(const char *file, const char *problem) {
  fprintf(stderr, "nethsm: %s: %s\n", file, problem);
  return false;
}

static void read_boot_id(char boot_id[40]) {
  memset(boot_id, 0, 40);
  int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    if (read(fd, boot_id, 36) != 36) {
      memset(boot_id, 0, 40);
    }
    close(fd);
  }
}

static void fill(struct state *state, const struct config *config) {
  memcpy(state->magic, MAGIC, sizeof MAGIC);
  state->version = VERSION;
  state->bytes = sizeof *state;
  read_boot_id(state->boot_id);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&state->lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
  state->config = *config;
  state->random = config->seed;
  state->sessions_epoch = 1;
  state->faults.slow = 1;
  queue_reset_statistics(state, now_nanos());
}

/* Made under another name and linked: nobody sees half a state, and an older one is not overwritten. */
bool state_create(const char *file, const struct config *config) {
  char made[4096];
  if (snprintf(made, sizeof made, "%s.%d", file, (int)getpid()) >= (int)sizeof made) {
    return complain(file, "the name is too long");
  }
  int fd = open(made, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) {
    return complain(made, strerror(errno));
  }
  struct state *state = MAP_FAILED;
  bool ok = posix_fallocate(fd, 0, sizeof *state) == 0;
  if (ok) {
    state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  if (state == MAP_FAILED) {
    complain(made, "no room for the state");
    ok = false;
  } else {
    fill(state, config);
    munmap(state, sizeof *state);
    if (link(made, file) != 0) {
      ok = complain(file, errno == EEXIST ? "is there already; remove it first" : strerror(errno));
    }
  }
  close(fd);
  unlink(made);
  return ok;
}

static const char *fault_of(const struct state *state) {
  char boot_id[40];
  read_boot_id(boot_id);
  if (memcmp(state->magic, MAGIC, sizeof MAGIC) != 0) {
    return "is not a state of nethsm";
  }
  if (state->version != VERSION || state->bytes != sizeof *state) {
    return "was made by another version of nethsm; create it anew";
  }
  if (memcmp(state->boot_id, boot_id, sizeof boot_id) != 0) {
    return "was made before the machine was started; create it anew";
  }
  return NULL;
}

bool state_attach(const char *file, struct attachment *attachment) {
  int fd = open(file, O_RDWR | O_CLOEXEC);
  if (fd < 0) {
    return complain(file, strerror(errno));
  }
  struct stat status;
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < (off_t)sizeof(struct state)) {
    close(fd);
    return complain(file, "is not a state of nethsm, or of another version");
  }
  struct state *state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  const char *fault = state == MAP_FAILED ? strerror(errno) : fault_of(state);
  if (fault != NULL) {
    if (state != MAP_FAILED) {
      munmap(state, sizeof *state);
    }
    close(fd);
    return complain(file, fault);
  }
  *attachment = (struct attachment){.state = state, .fd = fd, .process = -1};
  return true;
}

void state_detach(struct attachment *attachment) {
  munmap(attachment->state, sizeof *attachment->state);
  close(attachment->fd);
  *attachment = (struct attachment){.fd = -1, .process = -1};
}

void state_lock(struct attachment *attachment) {
  struct state *state = attachment->state;
  int result = pthread_mutex_lock(&state->lock);
  if (result == EOWNERDEAD) {
    queue_repair(state);
    pthread_mutex_consistent(&state->lock);
    state_reap(attachment, now_nanos(), true);
  } else if (result != 0) {
    fprintf(stderr, "nethsm: the lock of the state is broken: %s\n", strerror(result));
    abort(); /* Only a bug or foreign hands in the file lead here; going on would give wrong figures. */
  }
}

void state_unlock(struct attachment *attachment) { pthread_mutex_unlock(&attachment->state->lock); }

/* Locks of open file descriptions: they see other processes alike in all PID namespaces, and other
 * attachments of this process, and no number is used twice. */
static struct flock place_lock(int process) {
  return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = PLACE_OFFSET + process, .l_len = 1};
}

static bool is_alive(const struct attachment *attachment, int process) {
  if (process == attachment->process) {
    return true;
  }
  struct flock lock = place_lock(process);
#ifdef PLANT_NO_REAP /* The planted bug: the dead live for ever. */
  lock.l_type = F_WRLCK;
  return true;
#endif
  return fcntl(attachment->fd, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

bool state_take_place(struct attachment *attachment) {
  struct state *state = attachment->state;
  state_reap(attachment, now_nanos(), true);
  for (int i = 0; i < PROCESSES_MAX; i++) {
    struct flock lock = place_lock(i);
    if (!state->processes[i].used && fcntl(attachment->fd, F_OFD_SETLK, &lock) == 0) {
      state->processes[i] = (struct process){.used = true, .pid = (int32_t)getpid()};
      attachment->process = i;
      return true;
    }
  }
  return false;
}

void state_reap(struct attachment *attachment, int64_t now, bool at_once) {
  struct state *state = attachment->state;
  if (!at_once && now - state->reaped_at < REAP_MILLISECONDS * NANOS_PER_MILLI) {
    return;
  }
  state->reaped_at = now;
  for (int i = 0; i < PROCESSES_MAX; i++) {
    struct process *process = &state->processes[i];
    if (process->used && !is_alive(attachment, i)) {
      queue_bury(state, i, now);
      state->sessions -= process->sessions;
      *process = (struct process){.used = false};
    }
  }
}
