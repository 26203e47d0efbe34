'use strict';

const RealDate = Date;

/** Sets the clock of the node to a moment, at which it stands; without one it is the real one again. */
function setClock(now) {
	globalThis.Date =
		now === undefined
			? RealDate
			: class extends RealDate {
					constructor(...given) {
						super(...(given.length === 0 ? [now] : given));
					}

					static now() {
						return now;
					}
				};
}

module.exports = { setClock };
