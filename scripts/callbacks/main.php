
[, $secret, $id, $timestamp, $signature, $path] = $argv;
verify($secret, ['webhook-id' => $id, 'webhook-timestamp' => $timestamp, 'webhook-signature' => $signature], file_get_contents($path));
