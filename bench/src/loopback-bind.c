/*
 * Preloaded into peers that can only listen on every address: their listeners are put on loopback, where nobody else
 * reaches them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

typedef int (*bind_function)(int, const struct sockaddr *, socklen_t);

int bind(int socket, const struct sockaddr *address, socklen_t length)
{
  bind_function next = (bind_function)dlsym(RTLD_NEXT, "bind");
  if (address && address->sa_family == AF_INET && length >= sizeof(struct sockaddr_in)) {
    struct sockaddr_in own;
    memcpy(&own, address, sizeof own);
    if (own.sin_addr.s_addr == htonl(INADDR_ANY)) own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return next(socket, (struct sockaddr *)&own, sizeof own);
  }
  if (address && address->sa_family == AF_INET6 && length >= sizeof(struct sockaddr_in6)) {
    struct sockaddr_in6 own;
    memcpy(&own, address, sizeof own);
    if (memcmp(&own.sin6_addr, &in6addr_any, sizeof in6addr_any) == 0) own.sin6_addr = in6addr_loopback;
    return next(socket, (struct sockaddr *)&own, sizeof own);
  }
  return next(socket, address, length);
}
