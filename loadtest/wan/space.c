#include "space.h"

#include <errno.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static bool bring_up(const char *interface) {
  struct ifreq request = {.ifr_flags = IFF_UP | IFF_RUNNING};
  snprintf(request.ifr_name, sizeof request.ifr_name, "%s", interface);
  int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  bool is_up = control >= 0 && ioctl(control, SIOCSIFFLAGS, &request) == 0;
  int failure = errno;
  if (control >= 0) {
    close(control);
  }
  errno = failure;
  return is_up;
}

bool space_enter(void) {
  if (unshare(CLONE_NEWNET) != 0) {
    fprintf(stderr, "wan: cannot make a network namespace: %s\n", strerror(errno));
    return false;
  }
  if (!bring_up("lo")) {
    fprintf(stderr, "wan: cannot bring up lo: %s\n", strerror(errno));
    return false;
  }
  return true;
}
