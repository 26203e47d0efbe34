/** Whether there is such a file in the package, seen from one of its folders. */
export function hasFile(folder: string, file: string): boolean;

/** The texts of the monitor configurations, by the names of their files; every sign of them counts. */
export function monitorConfigurations(): Record<string, string>;
