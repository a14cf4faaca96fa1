const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a host name, as `URL` gives it, is this machine. Plain http is allowed nowhere else. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);
