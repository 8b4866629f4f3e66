
// On the command line, as the other languages. Otherwise as a web server runs it: $_SERVER has the headers.
if (PHP_SAPI === 'cli') {
    [, $secret, $id, $timestamp, $signature, $path] = $argv;
    $server = ['HTTP_WEBHOOK_ID' => $id, 'HTTP_WEBHOOK_TIMESTAMP' => $timestamp, 'HTTP_WEBHOOK_SIGNATURE' => $signature];
    verify($secret, $server, file_get_contents($path));
} else {
    try {
        verify(getenv('WEBHOOK_SECRET'), $_SERVER, file_get_contents('php://input'));
        http_response_code(204);
    } catch (UnexpectedValueException $error) {
        http_response_code(400);
    }
}
