/** Whether there is such a file in the package, seen from one of its folders. */
export function hasFile(folder: string, file: string): boolean;
