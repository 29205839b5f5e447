/* A network namespace of its own: nothing of it is seen outside, and it is gone with its last process. */
#ifndef WAN_SPACE_H
#define WAN_SPACE_H

#include <stdbool.h>

/* Puts this process into a new one, with the loopback interface up; false with a line on stderr. */
bool space_enter(void);

#endif
