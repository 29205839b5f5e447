/* The program `wan`: a network namespace of its own, and in it lines that delay packets and send them at a rate. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "device.h"
#include "links.h"
#include "space.h"

enum { OK = 0, FAILED = 1, BAD_USAGE = 2 };

/* Packets that are read before those that have arrived meanwhile are delivered. */
enum { READ_AT_ONCE = 64 };

/* No interface gives us more. */
enum { PACKET_MAX = 65536 };

static const char USAGE[] =
    "wan namespace -- COMMAND [ARGUMENT]...   runs COMMAND in a network namespace of its own\n"
    "wan forward --links N --rtt MS --mbit RATE [--queue MS]\n"
    "                                         in such a namespace: N links, link i at 10.209.1.i, until\n"
    "                                         standard input ends; prints `ready`, at the end what it counted\n"
    "wan check                                ends with 0 where both can be done\n";

static volatile sig_atomic_t is_ended;

static void end(int signal) {
  (void)signal;
  is_ended = 1;
}

static int64_t now_nanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * NANOS_PER_SECOND + now.tv_nsec;
}

static int bad_usage(const char *problem, const char *what) {
  fprintf(stderr, "wan: %s%s%s\n%s", problem, what != NULL ? ": " : "", what != NULL ? what : "", USAGE);
  return BAD_USAGE;
}

static bool number(const char *text, double least, double most, double *value) {
  char *rest;
  errno = 0;
  *value = strtod(text, &rest);
  return errno == 0 && *text != '\0' && *rest == '\0' && *value >= least && *value <= most;
}

static bool setting(struct settings *settings, const char *name, const char *text) {
  double value;
  if (strcmp(name, "--links") == 0 && number(text, 1, LINKS_MAX, &value)) {
    settings->links = (uint32_t)value;
  } else if (strcmp(name, "--rtt") == 0 && number(text, 0, 60000, &value)) {
    settings->rtt = (int64_t)(value * NANOS_PER_MILLI);
  } else if (strcmp(name, "--mbit") == 0 && number(text, 0.001, 100000, &value)) {
    settings->bits = value * 1e6;
  } else if (strcmp(name, "--queue") == 0 && number(text, 0, 60000, &value)) {
    settings->queue = (int64_t)(value * NANOS_PER_MILLI);
  } else {
    return false;
  }
  return true;
}

static void take_in(const struct settings *settings, int device) {
  static uint8_t packet[PACKET_MAX];
  for (int i = 0; i < READ_AT_ONCE; i++) {
    ssize_t length = read(device, packet, sizeof packet);
    struct way way;
    if (length <= 0) {
      return;
    }
    if (exchange_addresses(packet, (size_t)length, &way)) {
      links_send(settings, way, packet, (size_t)length, now_nanos());
    }
  }
}

/* Standard input is the one who started us: when it ends, so do we. */
static bool has_ended(const struct pollfd *input) {
  char ignored[256];
  return input->revents != 0 && read(input->fd, ignored, sizeof ignored) <= 0;
}

static void forward_until_the_end(const struct settings *settings, int device) {
  struct pollfd waited[] = {{.fd = device, .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
  while (!is_ended) {
    int64_t next = links_next(settings);
    int64_t left = next == INT64_MAX ? NANOS_PER_SECOND : next - now_nanos();
    left = left < 0 ? 0 : left;
    struct timespec timeout = {.tv_sec = left / NANOS_PER_SECOND, .tv_nsec = left % NANOS_PER_SECOND};
    waited[0].revents = waited[1].revents = 0;
    if (ppoll(waited, 2, &timeout, NULL) < 0 && errno != EINTR) {
      return;
    }
    if (waited[0].revents != 0) {
      take_in(settings, device);
    }
    links_deliver(settings, device, now_nanos());
    if (has_ended(&waited[1])) {
      return;
    }
  }
}

static int forward(char **arguments) {
  struct settings settings = {.rtt = -1, .queue = 200 * NANOS_PER_MILLI};
  for (char **at = arguments; *at != NULL; at += 2) {
    if (at[1] == NULL || !setting(&settings, at[0], at[1])) {
      return bad_usage("not an option, or not its value", *at);
    }
  }
  if (settings.links == 0 || settings.rtt < 0 || settings.bits == 0) {
    return bad_usage("forward needs --links, --rtt and --mbit", NULL);
  }
  int device = device_open();
  if (device < 0) {
    return FAILED;
  }
  struct sigaction action = {.sa_handler = end};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  signal(SIGPIPE, SIG_IGN);
  /* Packets are due to the microsecond; the kernel else wakes us fifty later. */
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  puts("ready");
  fflush(stdout);
  forward_until_the_end(&settings, device);
  struct counts counts = links_counts();
  printf("packets=%" PRIu64 " bytes=%" PRIu64 " dropped=%" PRIu64 "\n", counts.packets, counts.bytes, counts.dropped);
  return OK;
}

static int run_in_namespace(char **command) {
  if (command[0] == NULL || strcmp(command[0], "--") != 0 || command[1] == NULL) {
    return bad_usage("namespace needs -- and a command", NULL);
  }
  if (!space_enter()) {
    return FAILED;
  }
  execvp(command[1], command + 1);
  fprintf(stderr, "wan: cannot run %s: %s\n", command[1], strerror(errno));
  return FAILED;
}

int main(int count, char **arguments) {
  const char *command = count > 1 ? arguments[1] : "";
  if (strcmp(command, "namespace") == 0) {
    return run_in_namespace(arguments + 2);
  }
  if (strcmp(command, "forward") == 0) {
    return forward(arguments + 2);
  }
  if (strcmp(command, "check") == 0) {
    return space_enter() && device_open() >= 0 ? OK : FAILED;
  }
  if (strcmp(command, "--help") == 0) {
    fputs(USAGE, stdout);
    return OK;
  }
  return bad_usage("unknown command", command);
}
