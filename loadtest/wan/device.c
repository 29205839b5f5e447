#include "device.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "exchange.h"

static const char NAME[] = "wan0";

/* The kernel's own queue before us: what is lost is to be lost on a line, where it is counted. */
enum { KERNEL_QUEUE = 10000 };

static struct ifreq request_of(void) {
  struct ifreq request;
  memset(&request, 0, sizeof request);
  memcpy(request.ifr_name, NAME, sizeof NAME);
  return request;
}

static bool set_address(int control, unsigned long what, uint32_t address) {
  struct ifreq request = request_of();
  struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
  memcpy(&request.ifr_addr, &in, sizeof in);
  return ioctl(control, what, &request) == 0;
}

static bool configure(int control) {
  struct ifreq queue = request_of();
  queue.ifr_qlen = KERNEL_QUEUE;
  struct ifreq up = request_of();
  up.ifr_flags = IFF_UP | IFF_RUNNING;
  return set_address(control, SIOCSIFADDR, ADDRESS_OF_ALL) && set_address(control, SIOCSIFNETMASK, ADDRESS_MASK) &&
         ioctl(control, SIOCSIFTXQLEN, &queue) == 0 && ioctl(control, SIOCSIFFLAGS, &up) == 0;
}

int device_open(void) {
  int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  struct ifreq request = request_of();
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  bool is_there = device >= 0 && control >= 0 && ioctl(device, TUNSETIFF, &request) == 0 && configure(control);
  if (!is_there) {
    fprintf(stderr, "wan: cannot make %s: %s\n", NAME, strerror(errno));
    if (device >= 0) {
      close(device);
    }
  }
  if (control >= 0) {
    close(control);
  }
  return is_there ? device : -1;
}
