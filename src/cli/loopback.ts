/** Whether only this machine reaches the host. IPv6 addresses may be in brackets, as in a URL. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d+){3}$/.test(host);
