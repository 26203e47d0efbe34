/** Resources that the first page of a run is asked for: as many as most services give on one page. */
export const FIRST_PAGE = 100;

/** The page that is tried once a full one is not the last. */
export const LARGE_PAGE = 1_000;
