'use strict';

/** n8n's editor, as its user sees it: what can be clicked, and what is to be read. */

const SECONDS = 1000;
const RUN_WITHIN_MS = 60 * SECONDS;

class EditorPage {
	/** @param {import('playwright-core').Page} page @param {string} url of n8n */
	constructor(page, url) {
		this.page = page;
		this.url = url;
	}

	/** What n8n marks with a name of its own for tests. */
	marked(name, within = this.page) {
		return within.locator(`[data-test-id="${name}"]`);
	}

	/** The first page of a new n8n. */
	async setUpOwner({ email, password }) {
		await this.page.goto(this.url);
		const form = this.marked('setup-form');
		await form.waitFor();
		const fields = { email, firstName: 'Demo', lastName: 'Owner', password };
		for (const [name, value] of Object.entries(fields)) {
			await form.locator(`input[name="${name}"]`).fill(value);
		}
		await this.marked('form-submit-button').click();
		await form.waitFor({ state: 'hidden' });
	}

	async newWorkflow() {
		await this.page.goto(`${this.url}/workflow/new`);
		await this.marked('canvas-plus-button').click();
	}

	/** Opens a workflow and shows all of it. */
	async showWorkflow(id) {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.onCanvas().first().waitFor();
		await this.marked('zoom-to-fit').click();
		await this.settled(() => this.canvasArea());
	}

	/** The nodes and notes of the open workflow. */
	onCanvas() {
		return this.page.locator('.vue-flow__node');
	}

	/** The part of the screen with the open workflow; the margin has room for what is written below nodes. */
	async canvasArea() {
		return await this.areaAround(this.onCanvas());
	}

	/** The same without notes. */
	async nodesArea() {
		const area = await this.areaAround(this.marked('canvas-node'), 28);
		return { ...area, height: area.height + 28 };
	}

	async areaAround(shown, margin = 48) {
		const nodes = await shown.all();
		const boxes = await Promise.all(nodes.map((node) => node.boundingBox()));
		const [left, top] = ['x', 'y'].map((side) => Math.min(...boxes.map((box) => box[side])));
		const right = Math.max(...boxes.map(({ x, width }) => x + width));
		const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
		return {
			x: left - margin,
			y: top - margin,
			width: right - left + 2 * margin,
			height: bottom - top + 2 * margin,
		};
	}

	/** Out: the names of the nodes that the search finds, best first. */
	async search(text) {
		await this.marked('node-creator-search-bar').fill(text);
		// The list has no sign of being done: it is when it has not changed for a moment.
		return await this.settled(() => this.marked('node-creator-item-name').allInnerTexts());
	}

	/** In: a node that the search shows, and one of its operations. Opens its panel. */
	async addNode(name, operation) {
		await this.entry(name).click();
		const actions = this.page.getByText(/^Actions \(\d+\)$/);
		await actions.waitFor();
		// Folded where there is a trigger, too.
		if (!(await this.entry(operation).isVisible())) await actions.click();
		await this.entry(operation).click();
		await this.marked('ndv').waitFor();
	}

	/** Opens the search for a node to go behind the last one. */
	async searchNext(text) {
		await this.marked('canvas-handle-plus').last().click();
		return await this.search(text);
	}

	/** In: a node of the open workflow. Opens its panel. */
	async openNode(name) {
		await this.onCanvas().filter({ hasText: name }).last().dblclick();
		await this.marked('ndv').waitFor();
	}

	async closeNode() {
		await this.marked('ndv-close-button').click();
		await this.marked('ndv').waitFor({ state: 'hidden' });
	}

	/** In: the path of a workflow. */
	async importFile(path) {
		await this.marked('workflow-menu').click();
		await this.marked('workflow-menu-item-import').hover();
		const chooser = this.page.waitForEvent('filechooser');
		await this.marked('workflow-menu-item-import-from-file').click();
		await (await chooser).setFiles(path);
		await this.marked('canvas-node').first().waitFor();
	}

	/** Has n8n run the workflow by itself from now on. */
	async publish() {
		await this.marked('workflow-open-publish-modal-button').click();
		await this.marked('workflow-publish-button').click();
		// It lasts as long as the first checks of the trigger.
		await this.page.getByText('Workflow published').waitFor({ timeout: RUN_WITHIN_MS });
	}

	entry(name) {
		return this.marked('node-creator-item-name').getByText(name, { exact: true }).first();
	}

	/** Opens the dialog of a new credential. */
	async newCredential() {
		await this.marked('node-credentials-empty-state').getByRole('button').first().click();
		await this.marked('credential-edit-dialog').waitFor();
	}

	/** Opens the dialog of another new credential, of the type that Authentication gives; n8n asks for that in the dialog. */
	async newCredentialBy(usual, authentication) {
		await this.marked('node-credentials-select').click();
		await this.visible('node-credentials-select-item-new').first().click();
		const dialog = this.marked('credential-edit-dialog');
		await dialog.getByText(usual, { exact: true }).click();
		await this.page.getByText(authentication, { exact: true }).last().click();
		await this.credentialField('clientId').waitFor();
	}

	/** Chooses a credential of the node by its name. */
	async pickCredential(name) {
		await this.marked('node-credentials-select').click();
		await this.page.locator('.el-select-dropdown__item:visible').getByText(name).first().click();
	}

	/** Opens the dialog of the credential that the node has. */
	async editCredential() {
		await this.marked('credential-edit-button').click();
		await this.marked('credential-edit-dialog').waitFor();
	}

	async fillCredential(values) {
		for (const [name, value] of Object.entries(values)) {
			await this.credentialField(name).fill(value);
		}
	}

	/** Fills Organization Names of the SCIM credential. */
	async nameOrganizations(organizations) {
		const dialog = this.marked('editCredential-modal');
		for (const [index, { id, name }] of organizations.entries()) {
			await this.marked('fixed-collection-add', dialog).click();
			const fields = { name, id };
			for (const [field, value] of Object.entries(fields)) {
				await this.marked(`parameter-input-${field}`, dialog)
					.nth(index)
					.locator('input')
					.fill(value);
			}
		}
	}

	credentialField(name) {
		return this.marked(`parameter-input-${name}`, this.marked('editCredential-modal'))
			.locator('input')
			.last();
	}

	/** Saves a credential that n8n tries out and finds wrong. Out: what the dialog says of it. */
	async saveRefused() {
		await this.marked('credential-save-button').click();
		return await this.refusal();
	}

	/** Out: what the open dialog says of a credential that n8n finds wrong. */
	async refusal() {
		const dialog = this.marked('editCredential-modal');
		await dialog.getByText('More details').click();
		await dialog.getByText('More details').waitFor({ state: 'hidden' });
		return await dialog.innerText();
	}

	/** Saves a new credential that n8n finds right, or does not try out: the dialog closes. */
	async saveAccepted() {
		await this.marked('credential-save-button').click();
		await this.marked('editCredential-modal').waitFor({ state: 'hidden' });
	}

	/** Saves a credential, and waits until n8n has tried it out. */
	async saveAndTest() {
		const tested = this.page.waitForResponse((answer) =>
			answer.url().endsWith('/credentials/test'),
		);
		await this.marked('credential-save-button').click();
		await tested;
	}

	/** Saves a credential that is there already, and that n8n finds right; closes the dialog. */
	async saveTested() {
		await this.saveAndTest();
		await this.page.getByText('Connection tested successfully').waitFor();
		await this.closeCredential();
	}

	/** Saves a credential that is there already, and that n8n does not try out; closes the dialog. */
	async saveUntested() {
		const saved = this.page.waitForResponse(
			(answer) =>
				/\/credentials(\/\w+)?$/.test(answer.url()) && answer.request().method() !== 'GET',
		);
		await this.marked('credential-save-button').click();
		await saved;
		await this.closeCredential();
	}

	async closeCredential() {
		const dialog = this.marked('editCredential-modal');
		await dialog.getByLabel('Close this dialog').click();
		await dialog.waitFor({ state: 'hidden' });
	}

	field(name) {
		return this.marked(`parameter-input-${name}`, this.marked('ndv'));
	}

	async fill(name, text) {
		await this.field(name).locator('input, textarea').last().fill(text);
	}

	/** Chooses an entry of a plain dropdown; of the node, or of a dialog. */
	async choose(name, option, within = this.marked('ndv')) {
		await this.marked(`parameter-input-${name}`, within).click();
		await this.optionShown(option).click();
	}

	optionShown(text) {
		const shown = this.page.locator('.el-select-dropdown__item:visible');
		return shown.getByText(text, { exact: true });
	}

	/** Chooses the *Column to Match On*. */
	async matchOn(column) {
		await this.marked('matching-column-select').click();
		await this.optionShown(column).click();
	}

	/** Out: what *Add option* of Options offers. */
	async optionsToAdd() {
		const add = this.visible('collection-parameter-add').last();
		await add.scrollIntoViewIfNeeded();
		await add.click();
		const entries = this.visible('collection-parameter-option');
		await entries.first().waitFor();
		const names = await this.settled(() => entries.allInnerTexts());
		await this.page.keyboard.press('Escape');
		return names;
	}

	/** @param tab `params` or `settings` */
	async openTab(tab) {
		await this.marked(`tab-${tab}`).click();
	}

	/** Adds a row to the first list of rows. */
	async addRow() {
		await this.marked('fixed-collection-add', this.marked('ndv')).first().click();
	}

	/** Adds a field to the mapper of attributes. */
	async addAttribute(label) {
		await this.marked('add-fields-select').click();
		await this.page.getByRole('menuitem', { name: label, exact: true }).click();
	}

	/** Has the mapper ask the service again. Out: the names of its fields. */
	async refreshAttributes() {
		const read = this.page.waitForResponse((answer) =>
			answer.url().includes('/resource-mapper-fields'),
		);
		await this.marked('action-toggle', this.marked('mapping-fields-container')).first().click();
		await this.page.getByText('Refresh attribute list').last().click();
		const { data } = await (await read).json();
		return data.fields.map(({ displayName }) => displayName);
	}

	async toggle(name) {
		await this.field(name).locator('.el-switch').click();
	}

	/** Chooses how a thing is picked: `list`, `id`, `email`. */
	async pickBy(name, mode) {
		await this.marked('rlc-mode-selector', this.locatorOf(name)).click();
		await this.marked(`mode-${mode}`).click();
	}

	locatorOf(name) {
		return this.marked(`resource-locator-${name}`, this.marked('ndv'));
	}

	/**
	 * Opens a list of things to pick. Out: its entries, once `entry` is among them: a list that was
	 * open before shows what it had then, until it is read anew.
	 */
	async openList(name, entry) {
		await this.marked('rlc-input', this.locatorOf(name)).last().click();
		return await this.listShown(entry);
	}

	/** Opens a list that cannot be read. Out: what it says instead. */
	async openFailingList(name) {
		await this.marked('rlc-input', this.locatorOf(name)).last().click();
		const problem = this.visible('rlc-error-container');
		await problem.waitFor();
		return await problem.innerText();
	}

	/** In: what to look for in the open list, and what is to be found. Out: the entries then. */
	async searchList(text, entry) {
		const all = await this.visible('rlc-item').count();
		await this.visible('rlc-search').fill(text);
		await this.visible('rlc-item')
			.nth(all - 1)
			.waitFor({ state: 'hidden' });
		return await this.listShown(entry);
	}

	async listShown(entry) {
		const entries = this.visible('rlc-item');
		await entries.getByText(entry, { exact: true }).waitFor();
		return await this.settled(() => entries.allInnerTexts());
	}

	visible(name) {
		return this.page.locator(`[data-test-id="${name}"]:visible`);
	}

	/** Picks from the open list. */
	async pick(text) {
		await this.visible('rlc-item').getByText(text, { exact: true }).click();
	}

	async closeList() {
		await this.marked('credentials-label', this.marked('ndv')).click();
		const shown = this.visible('rlc-error-container').or(this.visible('rlc-item'));
		await shown.first().waitFor({ state: 'hidden' });
	}

	/** Puts an expression into a field, as typed; the editor closes the braces itself. */
	async express(name, inner) {
		const editor = this.field(name).locator('.cm-content');
		if ((await editor.count()) === 0) {
			const panel = this.marked('ndv');
			const end = '-parameter-input-options-container';
			const bar = this.marked(name + end, panel).or(
				panel.locator(`[data-test-id='value["${name}"]${end}']`),
			);
			await this.field(name).hover();
			await this.marked('radio-button-expression', bar).click();
		}
		await editor.click();
		await this.page.keyboard.press('ControlOrMeta+A');
		await this.page.keyboard.type(`{{ ${inner} `);
		await this.marked('ndv').getByText('Operation', { exact: true }).click();
		await this.page.waitForTimeout(SECONDS / 2);
	}

	/** Runs the node alone. Out: what the output pane shows then, or the error. */
	async execute() {
		await this.closeToasts();
		await this.marked('node-execute-button').click();
		await this.page.locator('.el-notification').first().waitFor({ timeout: RUN_WITHIN_MS });
		const output = this.marked('output-panel');
		return await this.settled(async () => (await output.innerText()).replace(/\s+/g, ' '));
	}

	/** Presses what runs the workflow, or a node of it. `meanwhile` is what the run waits for. Out: how n8n says that it went. */
	async run(button, meanwhile = async () => {}) {
		// On a slow machine n8n takes what it saved itself for the change of somebody else, and says so.
		const toast = this.page.locator('.el-notification').filter({ hasNotText: 'updated elsewhere' });
		// Those of a green run before go by themselves.
		await toast.first().waitFor({ state: 'hidden' });
		await this.marked(button).click();
		await meanwhile();
		await toast.first().waitFor({ timeout: RUN_WITHIN_MS });
		return (await toast.allInnerTexts()).join('\n');
	}

	async closeToasts() {
		const close = this.page.locator('.el-notification__closeBtn');
		while ((await close.count()) > 0) {
			await close
				.first()
				.click({ timeout: SECONDS })
				.catch(() => {});
			await this.page.waitForTimeout(SECONDS / 2);
		}
	}

	/** Out: what `read` gives once it has given the same twice in a row. */
	async settled(read) {
		let last;
		for (;;) {
			const now = await read();
			if (JSON.stringify(now) === last) return now;
			last = JSON.stringify(now);
			await this.page.waitForTimeout(SECONDS / 2);
		}
	}

	/** Moves the fields of the open node to the left, which leaves more room for its output. */
	async widenOutput() {
		const handle = this.marked('panel-drag-button', this.marked('ndv'));
		const { x, y, width, height } = await handle.boundingBox();
		const [left, top] = [x + width / 2, y + height / 2];
		await this.page.mouse.move(left, top);
		await this.page.mouse.down();
		await this.page.mouse.move(left - 450, top, { steps: 10 });
		await this.page.mouse.up();
	}

	/** The part of the screen with the fields and the output of the open node; of a table the first columns. */
	async panelArea(height, columns) {
		const panel = await this.marked('ndv').boundingBox();
		const fields = await this.marked('node-parameters').boundingBox();
		const left = Math.ceil(fields.x);
		const last =
			columns &&
			(await this.page
				.locator('th')
				.nth(columns - 1)
				.boundingBox());
		const right = last ? last.x + last.width : Math.floor(panel.x + panel.width) - 1;
		return {
			x: left,
			y: Math.floor(panel.y) + 41,
			width: right - left,
			height: height ?? Math.floor(panel.height) - 41,
		};
	}

	/** The part of the screen with the output of the open node. */
	async outputArea(height) {
		const box = await this.marked('output-panel').boundingBox();
		return { ...box, height };
	}

	async areaOf(name) {
		return await this.marked(name).boundingBox();
	}
}

module.exports = { EditorPage };
