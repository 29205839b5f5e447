/*
 * Both ends of the tests' connections. `probe serve PORT`: whoever connects says how many bytes it wants, and gets
 * them. `probe get ADDRESS PORT BYTES`: prints the milliseconds of connecting, and from asking until the last byte.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 20, CHUNK = 65536 };

static double millis(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1000 + (double)now.tv_nsec / 1e6;
}

static int complain(const char *what) {
  perror(what);
  return 1;
}

static struct sockaddr_in address(const char *host, const char *port) {
  struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  in.sin_addr.s_addr = host == NULL ? htonl(INADDR_ANY) : inet_addr(host);
  return in;
}

static int answer(int connection) {
  static char bytes[CHUNK];
  uint64_t wanted;
  if (recv(connection, &wanted, sizeof wanted, MSG_WAITALL) != sizeof wanted) {
    return 1;
  }
  while (wanted > 0) {
    ssize_t sent = send(connection, bytes, wanted < CHUNK ? wanted : CHUNK, MSG_NOSIGNAL);
    if (sent <= 0) {
      return 1;
    }
    wanted -= (uint64_t)sent;
  }
  return 0;
}

static int serve(const char *port) {
  /* A test that is killed ends nobody: without this its server would stay, and its namespace with it. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int listening = socket(AF_INET, SOCK_STREAM, 0);
  int on = 1;
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  struct sockaddr_in in = address(NULL, port);
  if (bind(listening, (struct sockaddr *)&in, sizeof in) != 0 || listen(listening, 64) != 0) {
    return complain("serve");
  }
  while (1) {
    int connection = accept(listening, NULL, NULL);
    if (connection < 0) {
      return complain("accept");
    }
    if (fork() == 0) {
      alarm(PATIENCE_SECONDS);
      exit(answer(connection));
    }
    close(connection);
    while (waitpid(-1, NULL, WNOHANG) > 0) {
    }
  }
}

static int get(const char *host, const char *port, const char *bytes) {
  static char sink[CHUNK];
  uint64_t wanted = strtoull(bytes, NULL, 10);
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  int on = 1;
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct sockaddr_in in = address(host, port);
  double began = millis();
  alarm(PATIENCE_SECONDS);
  if (connect(connection, (struct sockaddr *)&in, sizeof in) != 0) {
    return complain("connect");
  }
  double connected = millis();
  if (send(connection, &wanted, sizeof wanted, MSG_NOSIGNAL) != sizeof wanted) {
    return complain("send");
  }
  uint64_t left = wanted;
  while (left > 0) {
    ssize_t got = recv(connection, sink, CHUNK, 0);
    if (got <= 0) {
      return complain("recv");
    }
    left -= (uint64_t)got;
  }
  printf("connect=%.1f get=%.1f\n", connected - began, millis() - connected);
  return 0;
}

int main(int count, char **arguments) {
  if (count == 3 && strcmp(arguments[1], "serve") == 0) {
    return serve(arguments[2]);
  }
  if (count == 5 && strcmp(arguments[1], "get") == 0) {
    return get(arguments[2], arguments[3], arguments[4]);
  }
  fprintf(stderr, "probe serve PORT | get ADDRESS PORT BYTES\n");
  return 2;
}
