uniform vec3 PREFIX(red);    // the matrix between primaries: the row for the canvas's red
uniform vec3 PREFIX(green);
uniform vec3 PREFIX(blue);
uniform vec2 PREFIX(light);  // transfer (0 display gamma, 1 PQ, 2 HLG); peak relative to white, compressed if above 1

vec4 EFFECT(vec4 color, vec2 position)
{
    vec3 code = clamp(color.rgb, 0.0, 1.0);
    // Linear light relative to white. An absolute transfer function has its white at 203 cd/m2.
    vec3 light = pow(code, vec3(2.4));
    if (PREFIX(light).x > 1.5) {
        vec3 low = code * code / 3.0;
        vec3 high = (exp((code - 0.55991073) / 0.17883277) + 0.28466892) / 12.0;
        vec3 scene = mix(low, high, step(vec3(0.5), code));
        float y = max(dot(scene, vec3(0.2627, 0.6780, 0.0593)), 0.000001);
        light = scene * (pow(y, 0.2) * 4.92610837);
    } else if (PREFIX(light).x > 0.5) {
        vec3 root = pow(code, vec3(0.01268331));
        light = pow(max(root - 0.8359375, 0.0) / (18.8515625 - 18.6875 * root), vec3(6.27739463)) * 49.2610837;
    }
    light = vec3(dot(light, PREFIX(red)), dot(light, PREFIX(green)), dot(light, PREFIX(blue)));
    if (PREFIX(light).y > 1.0) {
        // ITU-R BT.2390: compresses light above a knee, in the perceptual steps of PQ.
        float most = max(max(light.r, light.g), max(light.b, 0.00002));
        float whole = pow(most / 49.2610837, 0.15930176);
        float step1 = pow((0.8359375 + 18.8515625 * whole) / (1.0 + 18.6875 * whole), 78.84375);
        float peak = pow(PREFIX(light).y / 49.2610837, 0.15930176);
        float top = pow((0.8359375 + 18.8515625 * peak) / (1.0 + 18.6875 * peak), 78.84375);
        float e = min(step1 / top, 1.0);
        float limit = 0.58068888 / top;
        float knee = 1.5 * limit - 0.5;
        float t = max(e - knee, 0.0) / (1.0 - knee);
        float bent = (2.0 * t * t * t - 3.0 * t * t + 1.0) * knee + (t * t * t - 2.0 * t * t + t) * (1.0 - knee)
            + (3.0 * t * t - 2.0 * t * t * t) * limit;
        float root = pow((e < knee ? e : bent) * top, 0.01268331);
        float mapped = pow(max(root - 0.8359375, 0.0) / (18.8515625 - 18.6875 * root), 6.27739463) * 49.2610837;
        light *= mapped / most;
    }
    return vec4(pow(clamp(light, 0.0, 1.0), vec3(1.0 / 2.4)), color.a);
}
