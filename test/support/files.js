'use strict';

const fs = require('fs');
const path = require('path');

const ROOT = path.resolve(__dirname, '../..');
const CONFIGURATIONS = path.join(ROOT, 'test/fixtures/monitor-configs');

/** Whether there is such a file in the package, seen from one of its folders. */
const hasFile = (folder, file) => fs.existsSync(path.resolve(ROOT, folder, file));

/** The texts of the monitor configurations, by the names of their files; every sign of them counts. */
const monitorConfigurations = () =>
	Object.fromEntries(
		fs
			.readdirSync(CONFIGURATIONS)
			.map((file) => [
				path.basename(file, '.json'),
				fs.readFileSync(path.join(CONFIGURATIONS, file), 'utf8'),
			]),
	);

module.exports = { hasFile, monitorConfigurations };
