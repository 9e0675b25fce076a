export const kilobyte = 1024;
export const megabyte = 1024 * kilobyte;
