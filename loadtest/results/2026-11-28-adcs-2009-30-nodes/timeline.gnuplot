set output 'timeline.svg'
set terminal svg size 900,420 font 'sans,12' background '#ffffff'
set datafile missing '?'
set key outside bottom center horizontal
set grid
set yrange [0:*]
set samples 1000
set title 'Issuance and the queue of the HSM over time'
set xlabel 's'
set ylabel 'certificates/s'
set y2tics
set ytics nomirror
set y2range [0:*]
set y2label 'jobs in the queue of the HSM'
set arrow from 0.000000, graph 0 to 0.000000, graph 1 nohead dt 3
set label 'warm-up' at 0.000000, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 51.733328, graph 0 to 51.733328, graph 1 nohead dt 3
set label 'one' at 51.733328, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 87.931525, graph 0 to 87.931525, graph 1 nohead dt 3
set label 'managed' at 87.931525, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 116.626583, graph 0 to 116.626583, graph 1 nohead dt 3
set label 'revoke' at 116.626583, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 126.248329, graph 0 to 126.248329, graph 1 nohead dt 3
set label 'revoke' at 126.248329, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 133.222507, graph 0 to 133.222507, graph 1 nohead dt 3
set label 'revoke' at 133.222507, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 312.623317, graph 0 to 312.623317, graph 1 nohead dt 3
set label 'unmanaged' at 312.623317, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 337.035050, graph 0 to 337.035050, graph 1 nohead dt 3
set label 'revoke' at 337.035050, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 344.197001, graph 0 to 344.197001, graph 1 nohead dt 3
set label 'revoke' at 344.197001, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
set arrow from 353.881338, graph 0 to 353.881338, graph 1 nohead dt 3
set label 'revoke' at 353.881338, graph 0.98 rotate by 90 right font ',9' noenhanced offset 0.7,0
plot 'timeline.tsv' using 1:2 with lines lw 2 title 'certificates/s' noenhanced,\
  'timeline.tsv' using 1:3 axes x1y2 with lines title 'queue hsm' noenhanced
