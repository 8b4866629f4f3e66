import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

class Main {
    public static void main(String[] a) throws Exception {
        var headers = Map.of("webhook-id", a[1], "webhook-timestamp", a[2], "webhook-signature", a[3]);
        Webhooks.verify(a[0], headers, Files.readAllBytes(Path.of(a[4])), 300);
    }
}
