const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a host name, as `URL` tells it, is this machine: plain http goes nowhere else. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);
