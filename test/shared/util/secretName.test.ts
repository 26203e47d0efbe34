import { isSecret, isSecretName } from '../../../nodes/shared/util/text';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

test.each([
	...['password', 'passwordHash', 'password2', 'initialpassword', 'PassWord', 'user_password'],
	...['initialPwd', 'pwd', 'pwdLastSet', 'passwd', 'passphrase', 'pass-code', 'userPw'],
	...['apiKey', 'API_KEY', 'api-key', 'apikey2', 'privateKey', 'private_key', 'secretAccessKey'],
	...['otp', 'OTPSeed', 'userOTP', 'totp', 'pin', 'PIN', 'badgePin', 'pin2', 'PINs'],
	...['recoveryCodes', 'recovery_code', 'backupCodes', 'clientSecret', 'clientsecret', 'secrets'],
	...['accessToken', 'accesstoken', 'refresh-token', 'tokens', 'secretAnswer'],
	...['login.password', 'password.value', `${ENTERPRISE}:apiKey`, 'x[type eq "a:b]"].otp'],
])('a secret by its name: %s', (name) => {
	expect(isSecretName(name)).toBe(true);
});

test.each([
	...[
		'',
		'shipping',
		'pinnedGroups',
		'opinion',
		'tokenizer',
		'secretary',
		'secretariat',
		'passport',
	],
	...['passNumber', 'laptop', 'option', 'spinner', 'keyCard', 'publicKey', 'costCenterKey', 'code'],
	...['employeeNumber', 'postalCode', 'userName', ENTERPRISE, 'urn:acme:token:2.0:User', 'value'],
	...['emails[type eq "pin"].value', 'urn:acme:secrets:2.0:User:department'],
])('none: %s', (name) => {
	expect(isSecretName(name)).toBe(false);
});

test.each([true, false, null, undefined])('whether there is one is none: %s', (value) => {
	expect(isSecret('password', value)).toBe(false);
});
